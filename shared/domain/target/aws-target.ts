import * as z from 'zod';
import { eventBus } from './event-bus-target.ts';
import { queue } from './queue-target.ts';
import { type ArnParts, partsOf, type TargetEvent, type TargetKind, type TargetRefusal } from './target-kind.ts';
import { TARGET_KINDS, type TargetKindName } from './target-kind-names.ts';

const KINDS: Readonly<Record<TargetKindName, TargetKind>> = { event_bus: eventBus, queue };

/** A receiver on AWS, which gets the events of a webhook or of a workflow by a call instead of a request to its URL. */
export const Target = z.object({
  kind: z.enum(TARGET_KINDS),
  arn: z.string(),
  /** A role that is assumed for the call, in the account of the target. */
  roleArn: z.string().nullable(),
});
export type Target = z.infer<typeof Target>;

export const targetKind = ({ kind }: Pick<Target, 'kind'>): TargetKind => KINDS[kind];

/** Undefined for an ARN of another kind. */
export const arnPartsOf = ({ kind, arn }: Pick<Target, 'kind' | 'arn'>): ArnParts | undefined =>
  partsOf(KINDS[kind], arn);

/** The target that an ARN names. Undefined for other ARNs and other texts. */
export function targetOfArn(arn: string): Target | undefined {
  const kind = TARGET_KINDS.find((each) => KINDS[each].arn.test(arn));
  return kind && { kind, arn, roleArn: null };
}

/** The URL that names a target; undefined if its ARN is not valid. */
export function urlOfTarget(target: Pick<Target, 'kind' | 'arn'>): string | undefined {
  const parts = arnPartsOf(target);
  return parts && targetKind(target).urlOf(parts);
}

/** One call to a target. */
export interface TargetCall extends Pick<TargetKind, 'service' | 'operation'> {
  target: Target;
  input: Record<string, unknown>;
  /** The external id for a role: the user whose target it is. */
  externalId: string;
  refusalIn(output: unknown): TargetRefusal | undefined;
}

export function callOf(target: Target, externalId: string, event: TargetEvent): TargetCall {
  const { service, operation, inputOf, refusalIn } = targetKind(target);
  return { target, service, operation, input: inputOf(target.arn, event), externalId, refusalIn };
}
