import { payloadBytes } from '../../aws/payloads.ts';
import { type Attempt, isSameAttempt, summaryOf } from '../../domain/delivery/delivery.ts';
import { type AttemptCause, isEnded, progressAfter } from '../../domain/delivery/delivery-progress.ts';
import { isWebhookId, type RecoveryId } from '../../domain/id.ts';
import { retryAfterMs } from '../../domain/delivery/retry-schedule.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { type HttpTarget, LATER_TIMEOUT_MS } from './http-target.ts';
import { countedAttempt } from './attempt-counts.ts';
import { attemptOf, logAttempt, sendAttempt } from './send-attempt.ts';
import type { DeliveryServices } from './delivery-services.ts';
import { parkDelivery } from './park-delivery.ts';

interface AttemptRequest {
  delivery: StoredDelivery;
  target: HttpTarget;
  cause: AttemptCause;
  recovery?: RecoveryId;
  /** The request to redeliver that this attempt answers. */
  request?: string;
  probe?: number;
}

/** `busy`: another attempt of the delivery is under way, or its process died a moment ago. `expired`: the payload is gone. */
export type AttemptResult = Attempt['outcome'] | 'busy' | 'expired';

/** Makes one attempt of a delivery that has an item, and records it in the delivery and in the health of its webhook. */
export async function attemptDelivery(
  services: DeliveryServices,
  request: AttemptRequest,
): Promise<AttemptResult> {
  const { deliveries, bucket } = services;
  const { delivery, target, cause } = request;
  if (cause !== 'redeliver' && !(await deliveries.claim(delivery))) return 'busy';
  const payload = await deliveries.payload(delivery.id);
  const body = payload && (await payloadBytes(bucket, payload));
  if (body === undefined) {
    if (cause !== 'redeliver') await deliveries.end(delivery, 'failed');
    else if (request.request !== undefined) await deliveries.endRequest(delivery, request.request);
    return 'expired';
  }
  const { emitId, emitterId, eventId, stream, trace } = delivery;
  if (emitterId === undefined || eventId === undefined) return 'expired';
  const sent = { emitterId, stream, eventId, emitId, body, trace };
  const keepsResponse = cause === 'redeliver';
  const outcome = await sendAttempt(services, { target, sent, timeoutMs: LATER_TIMEOUT_MS, keepsResponse });
  const counted = countedAttempt(target, { ...sent, indexedAt: delivery.indexedAt }, outcome);
  services.attemptCounts.count(keepsResponse ? { ...counted, latencyMs: undefined } : counted);
  const attempt = attemptOf(outcome, delivery.attemptCount + 1);
  logAttempt(services, () => ({ target, sent, deliveryId: delivery.id, attempt, cause }));
  const { listenerId } = target;
  await recordOutcome(services, attempt.outcome, {
    delivery: () =>
      recordAttempt(services, request, {
        attempt,
        retryAfter: retryAfterMs(outcome.retryAfter, services.now()),
      }),
    health: async () =>
      isWebhookId(listenerId)
        ? services.recordHealth(listenerId, { ...attempt, probe: request.probe, probed: delivery.id })
        : undefined,
  });
  return attempt.outcome;
}

/**
 * Records an attempt in two items. A success ends the delivery, and nothing repeats its attempt: its webhook would be shown as
 * failing if the process died before the health. So the health of a success comes first. After a failure another attempt comes: also at
 * the end of an outage, without waiting for its time.
 */
export async function recordOutcome(
  services: DeliveryServices,
  outcome: Attempt['outcome'],
  record: {
    /** Resolves with the delivery if it waits for the time of its next attempt from now on. */
    delivery(): Promise<StoredDelivery | undefined>;
    health(): Promise<Webhook | undefined>;
  },
): Promise<void> {
  if (outcome === 'delivered') {
    await record.health();
    await record.delivery();
    return;
  }
  const waiting = await record.delivery();
  const webhook = await record.health();
  if (waiting && webhook?.health.breaker) await parkDelivery(services, waiting);
}

/**
 * Sends the message of the next scheduled attempt, then records this one. After a crash in between, the message of this attempt comes
 * again, and whichever of the two comes first makes the attempt again. Resolves with the delivery if it waits for that next attempt.
 */
export async function recordAttempt(
  services: DeliveryServices,
  { delivery, cause, recovery, request }: Pick<AttemptRequest, 'delivery' | 'cause' | 'recovery' | 'request'>,
  { attempt, retryAfter }: { attempt: Attempt; retryAfter: number | undefined },
): Promise<StoredDelivery | undefined> {
  const { deliveries } = services;
  const random = services.randomFraction();
  for (let current: StoredDelivery | undefined = delivery; current;) {
    const numbered: Attempt = { ...attempt, attempt: current.attemptCount + 1 };
    const { needsMessage, ...progress } = progressAfter(current, {
      cause,
      attempt,
      retryAfterMs: retryAfter,
      random,
      now: services.now(),
    });
    if (needsMessage) await services.sendNext(current, progress);
    const staysOnList = !needsMessage && !isEnded(progress);
    if (await deliveries.record(current, { attempt: numbered, progress, staysOnList, recovery, request }))
      return needsMessage ? { ...current, ...progress, ...madeBy(numbered), list: undefined } : undefined;
    const found: StoredDelivery | undefined = await deliveries.find(current.listenerId, current.id);
    // The SDK repeats a request whose response was lost: this attempt is recorded. Another one with the same facts had no such effect.
    const hasEffect = found?.messageNumber === progress.messageNumber && isEnded(found) === isEnded(progress);
    if (hasEffect && found.attemptCount === numbered.attempt && isSameAttempt(found.lastAttempt, attempt))
      return needsMessage ? found : undefined;
    current = found;
  }
  return undefined;
}

const madeBy = (attempt: Attempt): Pick<StoredDelivery, 'attemptCount' | 'lastAttempt'> => ({
  attemptCount: attempt.attempt,
  lastAttempt: summaryOf(attempt),
});
