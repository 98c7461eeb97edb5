import { ServiceError } from '../../domain/errors.ts';
import { urlOfTarget } from '../../domain/target/aws-target.ts';
import { targetProblem, type TargetRule } from '../../domain/target/target-rule.ts';
import type { WebhookSettings } from '../../domain/webhook/webhook.ts';

/** Refuses a target that is not allowed, or that other settings do not fit. */
export function checkTarget(
  rule: TargetRule,
  { target, url, format }: Pick<WebhookSettings, 'target' | 'url' | 'format'>,
): void {
  if (target === null) return;
  const named = urlOfTarget(target);
  if (url !== named) throw refused('url', `must be ${named}, which names the target; a target of null ends it`);
  if (target.kind === 'event_bus' && format !== 'event')
    throw refused('format', 'must be event with an event bus, which gets each event with its metadata');
  const problem = targetProblem(target, rule);
  if (problem) throw refused(`target.${problem.member}`, problem.message);
}

const refused = (path: string, message: string): ServiceError =>
  new ServiceError('invalid_request', `${path} ${message}.`, { details: [{ path, message }] });
