import { payloadBytes } from '../../aws/payloads.ts';
import { type Attempt, isSameAttempt, summaryOf } from '../../domain/delivery/delivery.ts';
import { type AttemptCause, isEnded, progressAfter } from '../../domain/delivery/delivery-progress.ts';
import { isWebhookId, type RecoveryId } from '../../domain/id.ts';
import { retryAfterMs } from '../../domain/delivery/retry-schedule.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
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

/**
 * `busy`: another attempt of the delivery is under way, or its process died a moment ago. `expired`: the payload is
 * gone.
 */
export type AttemptResult = Attempt['outcome'] | 'busy' | 'expired';

/**
 * Makes one attempt of a delivery that has an item, and records it in the delivery and in the health of its webhook.
 */
export async function attemptDelivery(services: DeliveryServices, request: AttemptRequest): Promise<AttemptResult> {
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
  const sent = { emitterId, stream, eventId, emitId, indexedAt: delivery.indexedAt, body, trace };
  const isRequested = cause === 'redeliver';
  const keepsResponse = isRequested || services.keepsResponse(target.listenerId);
  const isRepeated = isRequested || cause === 'recover' || (delivery.list === 'ordered' && delivery.recovery);
  const repetition = isRepeated ? delivery.attemptCount + 1 : undefined;
  const sending = { target, sent, timeoutMs: LATER_TIMEOUT_MS, keepsResponse, repetition };
  const outcome = await sendAttempt(services, sending);
  const counted = countedAttempt(target, sent, outcome);
  services.attemptCounts.count(isRequested ? { ...counted, latencyMs: undefined } : counted);
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
 * Records an attempt in two items. A success ends the delivery, and nothing repeats its attempt: its webhook would be
 * shown as failing if the process died before the health. So the health of a success comes first. After a failure
 * another attempt comes: also at the end of an outage, without waiting for its time.
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
 * Sends the message of the next scheduled attempt, then records this one. After a crash in between, the message of this
 * attempt comes again, and whichever of the two comes first makes the attempt again. Resolves with the delivery if it
 * waits for that next attempt.
 */
export async function recordAttempt(
  services: DeliveryServices,
  {
    delivery,
    target,
    cause,
    recovery,
    request,
  }: Pick<AttemptRequest, 'delivery' | 'target' | 'cause' | 'recovery' | 'request'>,
  { attempt, retryAfter }: { attempt: Attempt; retryAfter: number | undefined },
): Promise<StoredDelivery | undefined> {
  const { deliveries } = services;
  const random = services.randomFraction();
  let sent: { delivery: StoredDelivery; needsMessage: boolean } | undefined;
  const recorded = await changeCurrent({
    read: delivery,
    find: () => deliveries.find(delivery.listenerId, delivery.id),
    write: async (current) => {
      // The SDK repeats a request whose response was lost: this attempt is recorded.
      if (sent && isSameAttempt(current.lastAttempt, attempt) && hasSameProgress(sent.delivery, current)) return sent;
      const numbered: Attempt = { ...attempt, attempt: current.attemptCount + 1 };
      const { needsMessage, ...progress } = progressAfter(current, {
        cause,
        attempt,
        retrySeconds: target.retrySeconds,
        isOrdered: current.list === 'ordered',
        retryAfterMs: retryAfter,
        random,
        now: services.now(),
      });
      sent = { delivery: { ...current, ...progress, ...madeBy(numbered), list: undefined }, needsMessage };
      if (needsMessage) await services.sendNext(current, progress);
      const staysOnList = !needsMessage && !isEnded(progress);
      const record = { attempt: numbered, progress, staysOnList, recovery, request };
      return (await deliveries.record(current, record)) && sent;
    },
  });
  return recorded?.needsMessage === true ? recorded.delivery : undefined;
}

/** Another attempt with the same facts may have had no effect. */
const hasSameProgress = (one: StoredDelivery, other: StoredDelivery): boolean =>
  one.messageNumber === other.messageNumber &&
  isEnded(one) === isEnded(other) &&
  one.attemptCount === other.attemptCount;

const madeBy = (attempt: Attempt): Pick<StoredDelivery, 'attemptCount' | 'lastAttempt'> => ({
  attemptCount: attempt.attempt,
  lastAttempt: summaryOf(attempt),
});
