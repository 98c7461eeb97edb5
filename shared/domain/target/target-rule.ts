import { arnPattern } from './arn-pattern.ts';
import { arnPartsOf, type Target } from './aws-target.ts';

/** The targets that a service may send to. */
export interface TargetRule {
  /** Patterns of ARNs of buses, queues and roles, as in a policy. */
  patterns: readonly string[];
  /** ARNs of the queues of the service itself, which it may send to for other reasons. */
  ownQueues: readonly string[];
}

/** Why a target is not allowed, with the member that says so. */
export interface TargetProblem {
  member: 'arn' | 'role_arn';
  message: string;
}

const OUTSIDE =
  'is outside of the ARNs that this service may send to: its operator allows more by the setting `targets` of the stage';

/** The identity of the service opens all that its operator allows, so other accounts need a role with its own trust. */
export function targetProblem(target: Target, { patterns, ownQueues }: TargetRule): TargetProblem | undefined {
  const { arn, roleArn } = target;
  const isAllowed = (each: string) => patterns.some((pattern) => arnPattern(pattern)(each));
  if (ownQueues.includes(arn)) return { member: 'arn', message: 'must not be a queue of the service itself' };
  if (!isAllowed(arn)) return { member: 'arn', message: OUTSIDE };
  if (roleArn !== null) return isAllowed(roleArn) ? undefined : { member: 'role_arn', message: OUTSIDE };
  const own = ownQueues[0]?.split(':')[4];
  return arnPartsOf(target)?.account === own
    ? undefined
    : { member: 'role_arn', message: 'is required for a target in another account' };
}
