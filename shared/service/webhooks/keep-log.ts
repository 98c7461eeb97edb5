import type { Schedules } from '../../aws/schedules.ts';
import { DAY_MS } from '../../lib/durations.ts';
import type { WebhookId } from '../../domain/id.ts';
import { messageText } from '../../domain/run/message-text.ts';
import type { RetryMessage, RetryMessageOf } from '../../domain/run/message.ts';
import type { AllDeliveries } from '../../store/deliveries/all-deliveries.ts';
import type { ExpiringItems } from '../../store/table/expiring-items.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';

/** Shorter than the life of every item of the log, so that each is seen before it expires. */
const EVERY_DAYS = 5;
const KEPT_BEFORE_MS = 2 * EVERY_DAYS * DAY_MS;
const KEPT_MS = 60 * DAY_MS;

const scheduleName = (id: WebhookId) => `keep-${id}`;

export interface ScheduleKeepingOptions {
  schedules: Pick<Schedules, 'create'>;
  retriesQueueArn: string;
  now(): number;
}

/**
 * Schedules the keeping of a webhook's newest deliveries. Items of the log expire by themselves, which costs nothing;
 * only the newest ones of a quiet webhook have to be kept for longer.
 */
export async function scheduleKeeping(
  { schedules, retriesQueueArn, now }: ScheduleKeepingOptions,
  listenerId: WebhookId,
): Promise<void> {
  const message: RetryMessage = { kind: 'keep', listenerId };
  await schedules.create({
    name: scheduleName(listenerId),
    when: { expression: `rate(${EVERY_DAYS} days)` },
    startAt: new Date(now() + EVERY_DAYS * DAY_MS),
    queueArn: retriesQueueArn,
    input: messageText(message),
  });
}

export const endKeeping = (schedules: Pick<Schedules, 'delete'>, listenerId: WebhookId): Promise<void> =>
  schedules.delete(scheduleName(listenerId));

export interface KeepLogOptions {
  webhooks: Pick<WebhookStore, 'find'>;
  allDeliveries: Pick<AllDeliveries, 'oldestKept'>;
  expiringItems: ExpiringItems;
  schedules: Pick<Schedules, 'delete'>;
  now(): number;
}

/** Extends the life of a webhook's newest 1,000 deliveries. The schedule of a deleted webhook is removed. */
export const createKeepLog =
  ({ webhooks, allDeliveries, expiringItems, schedules, now }: KeepLogOptions) =>
  async ({ listenerId }: RetryMessageOf<'keep'>): Promise<void> => {
    if (!(await webhooks.find(listenerId))) return endKeeping(schedules, listenerId);
    const from = await allDeliveries.oldestKept(listenerId);
    if (from === undefined) return;
    const extension = { before: now() + KEPT_BEFORE_MS, until: now() + KEPT_MS };
    await expiringItems.keepFrom(listenerId, from, extension);
  };
