/** Kinds of targets on AWS, as requests name them. */
export const TARGET_KINDS = ['event_bus', 'queue'] as const;
export type TargetKindName = (typeof TARGET_KINDS)[number];

/** The services whose ARNs name targets. */
const SERVICES = new Map<string, TargetKindName>([
  ['events', 'event_bus'],
  ['sqs', 'queue'],
]);

/** A target as requests and responses have it. */
export interface WireTarget {
  kind: TargetKindName;
  arn: string;
  role_arn?: string | null | undefined;
}

/** The target that a person typed: an ARN, and after a comma the ARN of a role. Undefined for another text. */
export function typedTarget(text: string): WireTarget | undefined {
  const [arn = '', roleArn = '', ...more] = text.split(',').map((part) => part.trim());
  const kind = SERVICES.get(/^arn:[^:]+:([^:]+):/.exec(arn)?.[1] ?? '');
  if (kind === undefined || more.length > 0) return undefined;
  return { kind, arn, role_arn: roleArn === '' ? null : roleArn };
}

export const textOfTarget = (target: WireTarget | null | undefined): string =>
  [target?.arn, target?.role_arn].filter(Boolean).join(', ');
