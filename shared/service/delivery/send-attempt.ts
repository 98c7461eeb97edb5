import type { HttpOutcome } from '../../aws/http-attempt.ts';
import type { Attempt, KeptResponse } from '../../domain/delivery/delivery.ts';
import type { AttemptCause } from '../../domain/delivery/delivery-progress.ts';
import { redirectOrigin, redirectTarget } from '../../domain/delivery/redirect-target.ts';
import type { OutgoingEvent } from '../../domain/delivery/signature.ts';
import { type DeliveryId, isWebhookId } from '../../domain/id.ts';
import type { LogFields } from '../../domain/run/log-fields.ts';
import { formattedBody } from '../formats/formatted-body.ts';
import type { DeliveryServices } from './delivery-services.ts';
import { attemptCall, attemptHeaders, type HttpTarget, decryptTarget } from './http-target.ts';

export type SendServices = Pick<DeliveryServices, 'attempt' | 'secretOf' | 'headersOf' | 'matching' | 'now'>;

interface SentAttempt {
  target: HttpTarget;
  sent: OutgoingEvent;
  timeoutMs: number;
  keepsResponse: boolean;
  /** Number of an attempt that somebody requested. */
  repetition?: number | undefined;
}

export async function sendAttempt(
  services: SendServices,
  { target, sent, timeoutMs, keepsResponse, repetition }: SentAttempt,
): Promise<HttpOutcome> {
  const [decrypted, body] = await Promise.all([decryptTarget(services, target), formattedBody(services, target, sent)]);
  return new Promise((resolve, reject) => {
    services.attempt({
      destination: decrypted.destination,
      ownerId: target.ownerId,
      call: attemptCall(target, { ...sent, body }, { now: services.now(), repetition }),
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

/** The response of an attempt; undefined if it is not kept. */
export const keptResponseOf = ({ answer: response, headers }: Attempt): KeptResponse | undefined =>
  response === undefined ? undefined : { answer: response, headers };

interface AttemptLine {
  target: Pick<HttpTarget, 'listenerId' | 'ownerId'>;
  sent: Pick<OutgoingEvent, 'emitterId' | 'eventId' | 'emitId' | 'trace'>;
  deliveryId: DeliveryId;
  attempt: Attempt;
  cause: AttemptCause | 'test';
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
    redirect: redirectOrigin(redirectTarget(attempt)),
    ms: attempt.ms,
  };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
