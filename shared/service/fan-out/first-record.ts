import type { HttpOutcome } from '../../aws/http-attempt.ts';
import { type Attempt, deliveryIdOf, isSameAttempt, summaryOf } from '../../domain/delivery/delivery.ts';
import { progressAfter } from '../../domain/delivery/delivery-progress.ts';
import { isWebhookId, type ListenerId } from '../../domain/id.ts';
import type { Limiter } from '../../lib/limiter.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import { retryAfterMs } from '../../domain/delivery/retry-schedule.ts';
import { settleAll } from '../../lib/settle-all.ts';
import type { TtlCache } from '../../lib/ttl-cache.ts';
import { isUnhealthy } from '../../domain/webhook/webhook-health.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { recordAttempt, recordOutcome } from '../delivery/attempt-delivery.ts';
import type { HttpTarget, DecryptedTarget } from '../delivery/http-target.ts';
import { attemptOf, keptResponseOf, logAttempt } from '../delivery/send-attempt.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';
import type { FastResponses } from './fast-responses.ts';
import { type DeliveryBatch, newDelivery, type ReadMessage, type StoredFirst } from './stored-first.ts';
import type { Suspects } from './suspects.ts';

export interface FirstAttemptInput {
  readonly item: ReadMessage;
  readonly decrypted: DecryptedTarget;
  readonly batch: DeliveryBatch;
}

interface Ended {
  readonly input: FirstAttemptInput;
  readonly outcome: HttpOutcome;
  /** Writes that mark the webhook as suspect. */
  readonly marks: readonly Promise<void>[];
  /** The delivery, if it was stored as slow. */
  readonly slowItem: StoredDelivery | undefined;
}

interface FirstRecordParts {
  stored: StoredFirst;
  suspects: Suspects;
  successes: TtlCache<ListenerId, number>;
  fastResponses: FastResponses;
  storing: Limiter;
}

/** Records a first attempt, and returns what is left to do: nothing for a success of a healthy webhook. */
export type RecordFirst = (ended: Ended) => Promise<void> | undefined;

/** A success is logged with its batch, a failure gets an item of its own. */
export function createFirstRecord(
  services: DeliveryServices,
  { stored, suspects, successes, fastResponses, storing }: FirstRecordParts,
): RecordFirst {
  const { deliveries, now } = services;

  return ({ input: { item, decrypted, batch }, outcome, marks, slowItem }) => {
    const { message } = item;
    const { target } = decrypted;
    const { listenerId } = target;
    const hasFailed = outcome.outcome !== 'delivered';
    const attempt = attemptOf(outcome, 1);
    logAttempt(services, () => {
      const deliveryId = deliveryIdOf(message, listenerId);
      return { target, sent: message, deliveryId, attempt, cause: 'schedule', batch: batch.id };
    });
    if (!hasFailed && !slowItem) addSuccess(message, target, { batch, attempt });
    // Another delivery of the batch may have failed after the health was read.
    const ended = !hasFailed && suspects.end(listenerId, attempt.at);
    const changesHealth = hasFailed || ended || slowItem !== undefined || isUnhealthy(target.health);
    if (!changesHealth) {
      fastResponses.count(listenerId);
      return undefined;
    }
    // The attempt is recorded also when its webhook cannot be marked.
    return settleAll([...marks, recordOutcome(services, attempt.outcome, { delivery, health })]);

    async function delivery(): Promise<StoredDelivery | undefined> {
      const retryAfter = retryAfterMs(outcome.retryAfter, now());
      if (slowItem)
        return storing(() =>
          recordAttempt(services, { delivery: slowItem, target, cause: 'schedule' }, { attempt, retryAfter }),
        );
      return hasFailed ? storing(() => storeFailed(message, target, { attempt, retryAfter })) : undefined;
    }

    async function health(): Promise<Webhook | undefined> {
      if (!isWebhookId(listenerId)) return undefined;
      return services.recordHealth(listenerId, {
        ...attempt,
        knownSuccess: successes.get(listenerId),
        fastBefore: fastResponses.take(listenerId),
      });
    }
  };

  async function storeFailed(
    message: DeliveryMessage,
    target: HttpTarget,
    { attempt, retryAfter }: Parameters<typeof recordAttempt>[2],
  ): Promise<StoredDelivery | undefined> {
    const { needsMessage, ...progress } = progressAfter(newDelivery(message, target, {}), {
      cause: 'schedule',
      attempt,
      retrySeconds: target.retrySeconds,
      retryAfterMs: retryAfter,
      random: services.randomFraction(),
      now: now(),
    });
    const delivery = newDelivery(message, target, {
      ...progress,
      attemptCount: 1,
      lastAttempt: summaryOf(attempt),
    });
    if (await deliveries.create(delivery, { payload: message.payload, attempt })) {
      if (!needsMessage) return undefined;
      await services.sendNext(delivery, progress);
      return delivery;
    }
    const found = await stored.resume(message, target);
    // The SDK repeats a request whose response was lost: this attempt may be the one that is stored.
    if (!found || isSameAttempt(found.lastAttempt, attempt)) return found;
    return recordAttempt(services, { delivery: found, target, cause: 'schedule' }, { attempt, retryAfter });
  }
}

function addSuccess(
  { emitterId, stream, eventId, emitId }: DeliveryMessage,
  { listenerId, ownerId }: HttpTarget,
  { batch, attempt }: { batch: DeliveryBatch; attempt: Attempt },
): void {
  if (!isWebhookId(listenerId)) return;
  const { at, status = 200, ms } = attempt;
  const response = keptResponseOf(attempt);
  batch.log({ webhookId: listenerId, ownerId, emitterId, stream, eventId, emitId, at, status, ms, response });
}
