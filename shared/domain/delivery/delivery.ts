import { hash } from 'node:crypto';
import * as z from 'zod';
import { EventId, positionOf } from '../event/event-id.ts';
import { KeptHeaders } from './kept-headers.ts';
import { DeliveryId, EmitterId, firstIdAt, ListenerId, timeOfId, UserId } from '../id.ts';
import { StreamName } from '../event/stream.ts';
import { Trace } from '../event/trace.ts';

/**
 * `pending`: no attempt yet. `retrying`: an attempt failed, another will come. `failed`: no attempt will come. `held`:
 * the webhook is inactive. `discarded`: held for too long, or too many were held.
 */
export const DeliveryStatus = z.enum(['pending', 'delivered', 'retrying', 'failed', 'held', 'discarded']);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** `blocked`: the address is not allowed. */
export const AttemptOutcome = z.enum(['delivered', 'rejected', 'timed_out', 'unreachable', 'blocked']);
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;

/** One attempt, as lists show it. */
export const AttemptSummary = z.object({
  /** Start, epoch ms. */
  at: z.number(),
  outcome: AttemptOutcome,
  /** HTTP status; absent without a response. */
  status: z.number().optional(),
  ms: z.number(),
});
export type AttemptSummary = z.infer<typeof AttemptSummary>;

export const KeptResponse = z.object({
  /** The beginning of the body. */
  answer: z.string().optional(),
  /** Attempts that an earlier release stored have none. */
  headers: KeptHeaders.optional(),
});
export type KeptResponse = z.infer<typeof KeptResponse>;

/** One attempt, as one delivery shows it. */
export const Attempt = AttemptSummary.extend({
  /** Number of the attempt, from 1. */
  attempt: z.number().int(),
  ...KeptResponse.shape,
  /** Why there was no response. */
  reason: z.string().optional(),
});
export type Attempt = z.infer<typeof Attempt>;

/** One event for one listener. A test of a webhook has neither emitter nor event. */
export const Delivery = z.object({
  id: DeliveryId,
  listenerId: ListenerId,
  ownerId: UserId,
  emitterId: EmitterId.optional(),
  stream: StreamName,
  eventId: EventId.optional(),
  emitId: z.string(),
  /** When the event was stored, epoch ms. */
  indexedAt: z.number().optional(),
  trace: Trace.optional(),
  status: DeliveryStatus,
  attemptCount: z.number().int(),
  /** With the response, if the delivery log has it. */
  lastAttempt: AttemptSummary.extend(KeptResponse.shape).optional(),
  /** Time of the next attempt, epoch ms. */
  nextAt: z.number().optional(),
});
export type Delivery = z.infer<typeof Delivery>;

export const TEST_STREAM = '$test';

export const awaitsAttempt = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'pending' || status === 'retrying';

/** Whether the next attempt may be made at this time. A delivery without an attempt is due at once. */
export const isDue = ({ attemptCount, nextAt = 0 }: Pick<Delivery, 'attemptCount' | 'nextAt'>, now: number) =>
  attemptCount === 0 || nextAt <= now;

/** The event's time: deliveries sort by it, and a repeated fan-out gives the same time. */
export const createdAtOf = ({ id }: Pick<Delivery, 'id'>): number => timeOfId(id);

const SEQUENCE_DIGITS = 5;
const LARGEST_SEQUENCE = 36 ** SEQUENCE_DIGITS - 1;
const HASH_DIGITS = 10;

/** The part of a delivery's id that follows from the position of its event. */
function positionInIds(id: EventId): { ms: number; sequence: number } {
  const { ms, sequence } = positionOf(id);
  return { ms, sequence: Math.min(sequence, LARGEST_SEQUENCE) };
}

/** The start of the ids of an event's deliveries, whatever their listener: time, then sequence. */
export function idPrefixOf(eventId: EventId): string {
  const { ms, sequence } = positionInIds(eventId);
  return `${firstIdAt('delivery', ms)}${sequence.toString(36).padStart(SEQUENCE_DIGITS, '0')}`;
}

/**
 * Derived from event and listener, so that a repeated fan-out gives the same id. It sorts by the position of the event;
 * 48 bits of a hash follow.
 */
export function deliveryIdOf(
  { emitId, eventId }: { emitId: string; eventId: EventId },
  listenerId: ListenerId,
): DeliveryId {
  const digest = hash('sha256', `${emitId}\0${listenerId}`, 'buffer').readUIntBE(0, 6);
  const tail = digest.toString(36).padStart(HASH_DIGITS, '0');
  return DeliveryId.parse(`${idPrefixOf(eventId)}${tail}`);
}

export const summaryOf = ({ at, outcome, status, ms }: AttemptSummary): AttemptSummary => ({
  at,
  outcome,
  ...(status === undefined ? {} : { status }),
  ms,
});

/** Whether both have the same facts. Another attempt of the delivery may begin in the same millisecond. */
export const isSameAttempt = (one: AttemptSummary | undefined, other: AttemptSummary): boolean =>
  one?.at === other.at && one.outcome === other.outcome && one.status === other.status && one.ms === other.ms;
