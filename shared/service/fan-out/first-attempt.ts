import type { HttpOutcome } from '../../aws/http-attempt.ts';
import { type AttemptSummary, deliveryIdOf, isSameAttempt, summaryOf } from '../../domain/delivery.ts';
import { progressAfter } from '../../domain/delivery-progress.ts';
import { isWebhookId } from '../../domain/id.ts';
import type { Limiter } from '../../domain/limiter.ts';
import type { DeliveryMessage, RetryMessage } from '../../domain/message.ts';
import { retryAfterMs } from '../../domain/retry-schedule.ts';
import { settleAll } from '../../domain/settle-all.ts';
import { Timeouts } from '../../domain/timeouts.ts';
import { isUnhealthy } from '../../domain/webhook-health.ts';
import type { StoredDelivery } from '../../store/delivery-item.ts';
import type { WebhookStore } from '../../store/webhooks.ts';
import { recordAttempt, recordOutcome, type RecordOptions } from '../delivery/attempt-delivery.ts';
import type { AttemptCounts } from '../delivery/attempt-counts.ts';
import { type AttemptWork, AwaitedAttempt, type Ended, type FirstAttemptInput } from './awaited-attempt.ts';
import type { FirstRequests } from './first-request.ts';
import type { RecordHealth } from '../delivery/health-recorder.ts';
import { type AttemptOptions, attemptOf, type HttpTarget, logAttempt } from '../delivery/http-target.ts';
import { parkDelivery, type ParkOptions } from '../delivery/park-delivery.ts';
import { SLOW_MS, type StoreSlow } from './slow-attempts.ts';
import {
  type DeliveryBatch,
  newDelivery,
  type ReadMessage,
  type StoredFirst,
  type StoredFirstOptions,
} from './stored-first.ts';
import type { Suspects } from './suspects.ts';

export interface FirstAttemptOptions extends AttemptOptions, RecordOptions, StoredFirstOptions {
  deliveries: RecordOptions['deliveries'] & StoredFirstOptions['deliveries'] & ParkOptions['deliveries'];
  webhooks: StoredFirstOptions['webhooks'] & Pick<WebhookStore, 'suspect'>;
  recordHealth: RecordHealth;
  attemptCounts: Pick<AttemptCounts, 'count'>;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
}

interface FirstAttemptParts {
  stored: StoredFirst;
  suspects: Suspects;
  storeSlow: StoreSlow;
  requests: FirstRequests;
  park(read: readonly ReadMessage[], target: HttpTarget): Promise<void>;
}

/** Makes the first attempt of a delivery and records it. A success is logged with its batch, a failure gets an item of its own. */
export function createFirstAttempt(
  options: FirstAttemptOptions & { storing: Limiter },
  { stored, suspects, storeSlow, requests, park }: FirstAttemptParts,
) {
  const { deliveries, storing, now } = options;
  const work: AttemptWork = {
    requests,
    slowTimeouts: new Timeouts(SLOW_MS),
    storeSlow: ({ item, open }) => storing(() => storeSlow(item.message, open.target)),
    count: ({ open }, { outcome }) => {
      options.attemptCounts.count(open.target.ownerId, outcome === 'delivered');
    },
    finish,
  };

  return (input: FirstAttemptInput): Promise<void> =>
    new Promise((resolve, reject) => {
      new AwaitedAttempt(work, input, { resolve, reject }).start();
    });

  /** Returns what is left to do. Nothing for a success of a healthy webhook. */
  function finish(ended: Ended): Promise<void> | undefined {
    const { input, outcome, slowItem } = ended;
    const { target } = input.open;
    if (!outcome) return slowItem ? storing(() => leave(slowItem)) : park([input.item], target);
    return record(ended, outcome);
  }

  /** Leaves a stored delivery to the drain of its webhook, or to the retries: a workflow has no drain. */
  function leave(delivery: StoredDelivery): Promise<void> {
    if (isWebhookId(delivery.listenerId)) return parkDelivery(options, delivery);
    return options.sendNext(delivery, { turn: delivery.turn, nextAt: now() });
  }

  function record(
    { input: { item, open, batch }, marks, slowItem }: Ended,
    outcome: HttpOutcome,
  ): Promise<void> | undefined {
    const { message } = item;
    const { target } = open;
    const { listenerId } = target;
    const hasFailed = outcome.outcome !== 'delivered';
    const attempt = attemptOf(outcome, 1);
    logAttempt(options, () => {
      const deliveryId = deliveryIdOf(message, listenerId);
      return { target, sent: message, deliveryId, attempt, cause: 'schedule', batch: batch.id };
    });
    if (!hasFailed && !slowItem) logSuccess(message, target, { batch, attempt });
    // Another delivery of the batch may have failed after the health was read.
    const ended = !hasFailed && suspects.end(listenerId, attempt.at);
    const changesHealth = hasFailed || ended || slowItem !== undefined || isUnhealthy(target.health);
    if (!changesHealth) return undefined;
    // The attempt is recorded also when its webhook cannot be marked.
    return settleAll([...marks, recordOutcome(attempt.outcome, { delivery, health })]);

    async function delivery(): Promise<void> {
      const retryAfter = retryAfterMs(outcome.retryAfter, now());
      if (slowItem)
        await storing(() =>
          recordAttempt(options, { delivery: slowItem, cause: 'schedule' }, { attempt, retryAfter }),
        );
      else if (hasFailed) await storing(() => storeFailed(message, target, { attempt, retryAfter }));
    }

    async function health(): Promise<void> {
      if (!isWebhookId(listenerId)) return;
      await options.recordHealth(listenerId, { ...attempt, knownSuccess: requests.lastSuccess(listenerId) });
    }
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
    if (await deliveries.create(delivery, { payload: message.payload, attempt, ownerId: message.ownerId })) {
      if (needsMessage) await options.sendNext(delivery, progress);
      return;
    }
    const found = await stored.resume(message, target);
    // The SDK repeats a request whose answer was lost: this attempt may be the one that is stored.
    if (found && !isSameAttempt(found.lastAttempt, attempt))
      await recordAttempt(options, { delivery: found, cause: 'schedule' }, { attempt, retryAfter });
  }
}

function logSuccess(
  { emitterId, stream, eventId, emitId }: DeliveryMessage,
  { listenerId, ownerId }: HttpTarget,
  { batch, attempt: { at, status = 200, ms } }: { batch: DeliveryBatch; attempt: AttemptSummary },
): void {
  if (!isWebhookId(listenerId)) return;
  batch.log({ webhookId: listenerId, ownerId, emitterId, stream, eventId, emitId, at, status, ms });
}
