import type { WebhookId } from '../id.ts';
import type { RetryMessageOf } from '../run/message.ts';
import type { Breaker } from './breaker.ts';
import type { Webhook } from './webhook.ts';

/** The work that keeps the waiting deliveries of a webhook going. */
export type WebhookWork = { kind: 'hold' } | { kind: 'probe'; breaker: Breaker } | { kind: 'drain' };

const HOLD: WebhookWork = { kind: 'hold' };
const DRAIN: WebhookWork = { kind: 'drain' };

/** The parts of a webhook that decide. */
type Working = Pick<Webhook, 'active' | 'health'> & Partial<Pick<Webhook, 'suspendedAt'>>;

/** Whether deliveries may be made. */
export const isReceiving = ({ active, suspendedAt }: Omit<Working, 'health'>): boolean =>
  active && suspendedAt === undefined;

/**
 * Decides that work. An inactive webhook holds its deliveries, and so does one of a suspended user. An open breaker
 * lets probes through, one delivery each; the success of a probe closes it. Otherwise a drain sends all of them.
 */
export function webhookWork(webhook: Working): WebhookWork {
  const { breaker } = webhook.health;
  if (!isReceiving(webhook)) return HOLD;
  return breaker ? { kind: 'probe', breaker } : DRAIN;
}

/**
 * Whether a webhook's new deliveries are left to that work at once. An attempt of theirs would fail while the breaker
 * is open, and a slow webhook would hold a whole batch of the queue with each attempt.
 */
export const skipsFirstAttempt = (webhook: Working): boolean =>
  webhookWork(webhook).kind !== 'drain' || webhook.health.slowSince !== undefined;

/** The message of the queue `retries` that does the work. */
export const workMessage = (listenerId: WebhookId, work: WebhookWork): RetryMessageOf<'hold' | 'probe' | 'drain'> =>
  work.kind === 'probe' ? { kind: work.kind, listenerId, probe: work.breaker.probe } : { kind: work.kind, listenerId };
