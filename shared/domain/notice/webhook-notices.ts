import type { AttemptSummary } from '../delivery/delivery.ts';
import { failureSubjectOf } from '../delivery/failure-subject.ts';
import type { HealthChange } from '../webhook/health-change.ts';
import type { Webhook } from '../webhook/webhook.ts';
import type { Notice } from './notice.ts';

type Described = Pick<Webhook, 'ownerId' | 'name' | 'url'> & { id: string };

const FAILURES: Record<AttemptSummary['outcome'], string> = {
  delivered: 'An attempt succeeded.',
  rejected: 'It refuses deliveries.',
  timed_out: 'It does not respond in time.',
  unreachable: 'It cannot be reached.',
  blocked: 'Its address is not allowed.',
};

const REASONS = {
  gone: 'It is off, because it answered 410 Gone.',
  failing: 'It is off, because it failed for 5 days.',
};

/** The notice of a change of health that was stored: the webhook was deactivated, began to fail, or works again. */
export function healthNotice(
  webhook: Described & Pick<Webhook, 'active'>,
  { changed, disable, redirect, health }: HealthChange,
  now: number,
): Notice | undefined {
  const { failingSince = now, lastAttempt, lastSuccess = now } = health;
  if (disable && webhook.active)
    return { ...about(webhook), name: 'webhook.disabled', what: REASONS[disable], since: failingSince };
  if (changed === 'failing')
    return {
      ...about(webhook),
      name: 'webhook.failing',
      what: failureText(lastAttempt, redirect),
      since: failingSince,
    };
  if (changed === 'recovered')
    return { ...about(webhook), name: 'webhook.recovered', what: 'It works again.', since: lastSuccess };
  return undefined;
}

export const heldNotice = (webhook: Described, now: number): Notice => ({
  ...about(webhook),
  name: 'deliveries.held',
  what: 'It is off, so its deliveries are held.',
  since: now,
});

const about = (webhook: Described): Pick<Notice, 'ownerId' | 'subject'> => ({
  ownerId: webhook.ownerId,
  subject: { id: webhook.id, name: webhook.name ?? hostOf(webhook.url) },
});

/** Path and query of an address may be secret: services for chats have their tokens there. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

function failureText(attempt: AttemptSummary | undefined, redirect: string | undefined): string {
  if (attempt?.status === undefined) return FAILURES[attempt?.outcome ?? 'rejected'];
  if (redirect !== undefined)
    return `It answers ${attempt.status}, a redirect to ${redirect}; redirects are not followed.`;
  const isRefusal = failureSubjectOf(attempt) === 'event';
  return `It answers ${attempt.status}${isRefusal ? ' to an event' : ''}.`;
}
