import type { HttpOutcome } from '../../aws/deliver-http.ts';
import { createHash } from 'node:crypto';
import { positionOf } from '../../domain/event-id.ts';
import { DeliveryId, isWebhookId, type ListenerId, newId } from '../../domain/id.ts';
import type { DeliveryMessage } from '../../domain/message.ts';
import { delayAfter, retryAfterMs } from '../../domain/retry-schedule.ts';
import type { Attempt, DeliveryStore, Delivery, DeliveryStatus } from '../../store/deliveries.ts';
import { attemptOf, type HttpTarget } from './http-target.ts';

/** Derived from event and listener, so that a repeated fan-out gives the same id. */
export function deliveryId({ emitId, eventId }: DeliveryMessage, listenerId: ListenerId): DeliveryId {
  const hash = createHash('sha256').update(`${emitId}\0${listenerId}`).digest();
  return DeliveryId.parse(newId('delivery', positionOf(eventId).ms, (bytes) => hash.subarray(0, bytes)));
}

interface NewDelivery {
  message: DeliveryMessage;
  target: HttpTarget;
  status: DeliveryStatus;
  attempts: Attempt[];
  nextAt?: number | undefined;
  now: number;
}

export const newDelivery = ({ message, target, status, attempts, nextAt, now }: NewDelivery): Delivery => ({
  id: deliveryId(message, target.listenerId),
  listenerId: target.listenerId,
  ownerId: target.ownerId,
  emitterId: message.emitterId,
  stream: message.stream,
  eventId: message.eventId,
  emitId: message.emitId,
  payload: message.payload,
  status,
  attempts,
  made: attempts.length,
  nextAt,
  createdAt: now,
});

export interface RetryDecision {
  attempt: Attempt;
  status: DeliveryStatus;
  /** Epoch ms; only while retrying. */
  nextAt?: number | undefined;
}

const GONE = 410;

/** Decides the delivery's next status after an attempt, and deactivates a webhook that answered 410. */
export async function decideRetry(
  deliveries: Pick<DeliveryStore, 'deactivate'>,
  {
    outcome,
    attempt,
    target,
    now,
  }: { outcome: HttpOutcome; attempt: number; target: HttpTarget; now: number },
): Promise<RetryDecision> {
  const made = attemptOf(outcome, attempt, now);
  if (outcome.outcome === 'delivered') return { attempt: made, status: 'delivered' };
  if (outcome.status === GONE && isWebhookId(target.listenerId)) {
    await deliveries.deactivate(target.listenerId, now);
  }
  const delay = delayAfter({
    attempt,
    status: outcome.status,
    timedOut: outcome.outcome === 'timed_out',
    retryAfterMs: retryAfterMs(outcome.retryAfter, now),
    random: Math.random(),
  });
  return delay === undefined
    ? { attempt: made, status: 'dead' }
    : { attempt: made, status: 'retrying', nextAt: now + delay };
}
