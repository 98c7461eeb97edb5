import type { HttpOutcome } from '../../aws/http-attempt.ts';
import type { Attempt } from '../../domain/delivery/delivery.ts';
import type { AttemptCause } from '../../domain/delivery/delivery-progress.ts';
import type { DeliveredEvent } from '../../domain/delivery/signature.ts';
import { type DeliveryId, isWebhookId } from '../../domain/id.ts';
import type { LogFields } from '../../domain/run/log-fields.ts';
import type { DeliveryServices } from './delivery-services.ts';
import { attemptHeaders, type HttpTarget, decryptTarget } from './http-target.ts';

/** One event, as sent to a target. */
interface OutgoingEvent extends DeliveredEvent {
  /** JSON of the bare event in UTF-8. */
  body: Buffer;
}

/** The services that send one attempt. */
export type SendServices = Pick<DeliveryServices, 'attempt' | 'secretOf' | 'headersOf' | 'now'>;

interface SentAttempt {
  target: HttpTarget;
  sent: OutgoingEvent;
  timeoutMs: number;
  keepsResponse: boolean;
}

/** Sends one event to a target. */
export async function sendAttempt(
  services: SendServices,
  { target, sent, timeoutMs, keepsResponse }: SentAttempt,
): Promise<HttpOutcome> {
  const decrypted = await decryptTarget(services, target);
  const { body } = sent;
  return new Promise((resolve, reject) => {
    services.attempt({
      destination: decrypted.destination,
      ownerId: target.ownerId,
      body,
      timeoutMs,
      keepsResponse,
      begin: () => attemptHeaders(decrypted, sent, { body, now: services.now() }),
      end: resolve,
      fail: reject,
    });
  });
}

/** An outcome in the form of the delivery log. */
export const attemptOf = (
  { outcome, status, answer: response, headers, reason, at, ms }: HttpOutcome,
  attempt: number,
): Attempt => ({
  attempt,
  at,
  outcome,
  ...(status === undefined ? {} : { status }),
  ...(reason === undefined ? {} : { reason: sentence(reason) }),
  ...(response === undefined ? {} : { answer: response }),
  ...(headers === undefined ? {} : { headers }),
  ms,
});

interface AttemptLine {
  target: Pick<HttpTarget, 'listenerId' | 'ownerId'>;
  sent: Pick<OutgoingEvent, 'emitterId' | 'eventId' | 'emitId' | 'trace'>;
  deliveryId: DeliveryId;
  attempt: Attempt;
  cause: AttemptCause | 'test';
  /** The batch that made the attempt. */
  batch?: string;
}

/** Writes the line of one attempt. `line` is not called if the operator does not want such lines. */
export function logAttempt({ writeLine }: Pick<DeliveryServices, 'writeLine'>, line: () => AttemptLine): void {
  writeLine('attempt.ended', () => fieldsOf(line()));
}

function fieldsOf({ target, sent, deliveryId, attempt, cause, batch }: AttemptLine): LogFields {
  const { listenerId, ownerId } = target;
  return {
    ...(batch === undefined ? {} : { batch }),
    delivery: deliveryId,
    [isWebhookId(listenerId) ? 'webhook' : 'workflow']: listenerId,
    owner: ownerId,
    emitter: sent.emitterId,
    event: sent.eventId,
    emit: sent.emitId,
    trace: sent.trace?.id,
    cause,
    attempt: attempt.attempt,
    outcome: attempt.outcome,
    status: attempt.status,
    ms: attempt.ms,
  };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
