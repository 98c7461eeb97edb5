import { type AttemptSummary, deliveryIdOf, summaryOf } from '../../domain/delivery.ts';
import { progressAfter } from '../../domain/delivery-progress.ts';
import { isWebhookId, type ListenerId } from '../../domain/id.ts';
import { createLimiter } from '../../domain/limiter.ts';
import type { DeliveryMessage, RetryMessage } from '../../domain/message.ts';
import { retryAfterMs } from '../../domain/retry-schedule.ts';
import { FIRST_ATTEMPTS_MS } from '../../domain/time-limits.ts';
import { settleAll } from '../../domain/settle-all.ts';
import { TtlCache } from '../../domain/ttl-cache.ts';
import { isUnhealthy } from '../../domain/webhook-health.ts';
import type { StoredDelivery } from '../../store/delivery-item.ts';
import type { WebhookStore } from '../../store/webhooks.ts';
import { recordAttempt, recordOutcome, type RecordOptions } from './attempt-delivery.ts';
import type { AttemptCounts } from './attempt-counts.ts';
import type { RecordHealth } from './health-recorder.ts';
import type { LimitHeld } from './held-limit.ts';
import {
  type AttemptOptions,
  attemptOf,
  FIRST_TIMEOUT_MS,
  type HttpTarget,
  logAttempt,
  sendAttempt,
} from './http-target.ts';
import { ensureSender } from './park-delivery.ts';
import { type RateSlotOptions, reserveRate, waitForRate } from './rate-slot.ts';
import {
  type DeliveryBatch,
  newDelivery,
  type ReadMessage,
  type StoredFirst,
  type StoredFirstOptions,
} from './stored-first.ts';
import { createSuspects } from './suspects.ts';

export interface FirstAttemptOptions
  extends AttemptOptions, RecordOptions, RateSlotOptions, StoredFirstOptions {
  deliveries: RecordOptions['deliveries'] & StoredFirstOptions['deliveries'];
  webhooks: StoredFirstOptions['webhooks'] & Pick<WebhookStore, 'suspect'>;
  recordHealth: RecordHealth;
  attemptCounts: Pick<AttemptCounts, 'count'>;
  limitHeld: LimitHeld;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  /** First attempts of this process at the same time. */
  maxUnderWay?: number | undefined;
}

/** Attempts that wait for sockets take memory, 20 KB each. More of them are left to the retries. */
const MAX_UNDER_WAY = 5_000;
/** Deliveries that are stored for the retries at the same time. */
const MAX_STORING = 200;
const MAX_SUCCESSES = 10_000;
/** Time window of the breaker (`webhook-health.ts`). */
const SUCCESS_MS = 60_000;
/** After this time a first attempt under way is listed as a pending delivery. */
export const SLOW_MS = 1_500;
/** Delay of the message that repeats a first attempt if its process dies. Longer than the attempt, so that it is void otherwise. */
const ABANDONED_MS = 60_000;
/** Longest wait for a slot of the rate limit. Deliveries with later slots go on the waiting list, which the drain sends. */
const SLOT_HORIZON_MS = 1_000;

/** Makes the first attempts of deliveries to one target, or stores the deliveries for a later attempt. */
export function createFirstAttempts(options: FirstAttemptOptions, stored: StoredFirst) {
  const { deliveries, now, maxUnderWay = MAX_UNDER_WAY } = options;
  const suspects = createSuspects(options.webhooks);
  const storing = createLimiter(MAX_STORING);
  let underWay = 0;
  /** Start of the last success of each webhook in this instance. The log gets a success only at the end of its batch. */
  const successes = new TtlCache<ListenerId, number>({ ttlMs: SUCCESS_MS, maxEntries: MAX_SUCCESSES, now });

  return async (all: readonly ReadMessage[], target: HttpTarget, batch: DeliveryBatch): Promise<void> => {
    const read = await stored.leaveOut(all, target, batch);
    if (read.length === 0) return;
    if (!target.isActive) return hold(read, target);
    if (target.health.breaker) return park(read, target);
    const isLate = now() - batch.startedAt > FIRST_ATTEMPTS_MS;
    const isFull = underWay + read.length > maxUnderWay;
    if (suspects.untilOf(target) > now() || isLate || isFull) {
      await Promise.all(read.map(({ message }) => storing(() => leaveToRetries(message, target))));
      return;
    }
    underWay += read.length;
    try {
      await attemptOrPark(read, target, batch);
    } finally {
      underWay -= read.length;
    }
  };

  async function attemptOrPark(read: readonly ReadMessage[], target: HttpTarget, batch: DeliveryBatch) {
    const horizonMs = SLOT_HORIZON_MS;
    const slots = await reserveRate(options, target, { count: read.length, horizonMs });
    if (slots.length < read.length) await park(read.slice(slots.length), target);
    await settleAll(
      read.slice(0, slots.length).map(async (item, index) => {
        const slot = slots[index] ?? 0;
        if (await waitForRate(options, target, { slot, horizonMs })) await attemptFirst(item, target, batch);
        else await park([item], target);
      }),
    );
  }

  async function hold(read: readonly ReadMessage[], target: HttpTarget): Promise<void> {
    await Promise.all(
      read.map(({ message }) => stored.createOrResume(message, target, { status: 'held', place: 'held' })),
    );
    await options.limitHeld(target.listenerId, read.length);
  }

  async function park(read: readonly ReadMessage[], target: HttpTarget): Promise<void> {
    await Promise.all(
      read.map(({ message }) => stored.createOrResume(message, target, { place: 'waiting' })),
    );
    await ensureSender(options, target.listenerId);
  }

  async function leaveToRetries(message: DeliveryMessage, target: HttpTarget): Promise<void> {
    const delivery = newDelivery(message, target, { nextAt: now() });
    if (await deliveries.create(delivery, message)) await options.sendNext(delivery, delivery);
    else await stored.resume(message, target);
  }

  async function attemptFirst({ message, body }: ReadMessage, target: HttpTarget, batch: DeliveryBatch) {
    const { emitterId, stream, eventId, emitId, trace } = message;
    const slow: { item?: Promise<StoredDelivery | undefined> } = {};
    const timer = setTimeout(() => {
      slow.item = storeSlow(message, target);
      // Awaited below; until then a rejection must not be unhandled.
      slow.item.catch(() => undefined);
    }, SLOW_MS);
    const sent = { emitterId, stream, eventId, emitId, body, trace };
    const outcome = await sendAttempt(options, { target, sent, timeoutMs: FIRST_TIMEOUT_MS }).finally(() =>
      clearTimeout(timer),
    );
    const hasFailed = outcome.outcome !== 'delivered';
    options.attemptCounts.count(target.ownerId, !hasFailed);
    const slowItem = await slow.item;
    const attempt = attemptOf(outcome, { attempt: 1, now: now(), keepsAnswer: false });
    const { listenerId } = target;
    const deliveryId = deliveryIdOf(message, listenerId);
    logAttempt(options, { target, sent, deliveryId, attempt, cause: 'schedule', batch: batch.id });
    // The attempt is recorded also when its webhook cannot be marked.
    const marked = hasFailed ? suspects.add(listenerId, now()) : Promise.resolve();
    if (!hasFailed) successes.set(listenerId, attempt.at);
    if (!hasFailed && !slowItem) logSuccess(message, target, { batch, attempt });
    // Another delivery of the batch may have failed after the health was read.
    const ended = !hasFailed && suspects.end(listenerId);
    await settleAll([marked, recordOutcome(attempt.outcome, { delivery, health })]);

    async function delivery(): Promise<void> {
      const retryAfter = retryAfterMs(outcome.retryAfter, now());
      if (slowItem)
        await recordAttempt(options, { delivery: slowItem, cause: 'schedule' }, { attempt, retryAfter });
      else if (hasFailed) await storeFailed(message, target, { attempt, retryAfter });
    }

    async function health(): Promise<void> {
      const isToRecord = hasFailed || ended || slowItem !== undefined || isUnhealthy(target.health);
      if (!isWebhookId(listenerId) || !isToRecord) return;
      await options.recordHealth(listenerId, { ...attempt, knownSuccess: successes.get(listenerId) });
    }
  }

  /** Stores the delivery as pending. Undefined when an earlier fan-out stored it and it has ended. */
  async function storeSlow(
    message: DeliveryMessage,
    target: HttpTarget,
  ): Promise<StoredDelivery | undefined> {
    const delivery = newDelivery(message, target, { nextAt: now() + ABANDONED_MS });
    if (!(await deliveries.create(delivery, message))) return stored.resume(message, target);
    // The message repeats the attempt if this process dies. Otherwise the attempt is recorded first, and the message is void.
    await options.sendNext(delivery, delivery);
    return delivery;
  }

  async function storeFailed(
    message: DeliveryMessage,
    target: HttpTarget,
    { attempt, retryAfter }: Parameters<typeof recordAttempt>[2],
  ): Promise<void> {
    const { needsMessage, ...progress } = progressAfter(newDelivery(message, target, {}), {
      cause: 'schedule',
      attempt,
      retryAfterMs: retryAfter,
      random: options.randomFraction(),
      now: now(),
    });
    const delivery = newDelivery(message, target, { ...progress, made: 1, lastAttempt: summaryOf(attempt) });
    if (await deliveries.create(delivery, { payload: message.payload, attempt })) {
      if (needsMessage) await options.sendNext(delivery, progress);
      return;
    }
    const found = await stored.resume(message, target);
    // The SDK repeats a request whose answer was lost: this attempt may be the one that is stored.
    if (found && found.lastAttempt?.at !== attempt.at)
      await recordAttempt(options, { delivery: found, cause: 'schedule' }, { attempt, retryAfter });
  }

  function logSuccess(
    { emitterId, stream, eventId, emitId }: DeliveryMessage,
    { listenerId, ownerId }: HttpTarget,
    { batch, attempt: { at, status = 200, ms } }: { batch: DeliveryBatch; attempt: AttemptSummary },
  ): void {
    if (!isWebhookId(listenerId)) return;
    batch.log({ webhookId: listenerId, ownerId, emitterId, stream, eventId, emitId, at, status, ms });
  }
}
