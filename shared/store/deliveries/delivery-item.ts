import * as z from 'zod';
import { createdAtOf, Delivery, type DeliveryStatus } from '../../domain/delivery/delivery.ts';
import type { Progress } from '../../domain/delivery/delivery-progress.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { RecoveryId } from '../../domain/id.ts';

/** A held delivery is discarded after this. */
export const LONGEST_HELD_MS = 14 * DAY_MS;
/**
 * No waiting delivery is older: a recovery sends what was held for up to 14 days, and its retry schedule takes less
 * than 7 days.
 */
export const LONGEST_WAIT_MS = LONGEST_HELD_MS + 7 * DAY_MS;
/** Longer than the retry schedule, then 14 days of being held, then 7 days in the log. */
export const DELIVERY_LIFETIME_MS = 30 * DAY_MS;

/** A delivery with an item of its own: every one but successful first attempts. */
export const StoredDelivery = Delivery.extend({
  scheduleStep: z.number().int(),
  messageNumber: z.number().int(),
  /** No drain sends it before this time, epoch ms. */
  notBefore: z.number().optional(),
  list: z.enum(['waiting', 'ordered', 'held']).optional(),
  /** Start of its failures about the receiver while it holds up its emitter, epoch ms. */
  failingSince: z.number().optional(),
  /** The recovery that sent it last. */
  recovery: RecoveryId.optional(),
  /** Redeliveries that were requested and have not ended. */
  requested: z.instanceof(Set<string>).optional(),
  /** Times of the last requests to redeliver, epoch ms. */
  requestedAt: z.array(z.number()).optional(),
}) satisfies z.ZodType<Delivery & Progress>;
export type StoredDelivery = z.infer<typeof StoredDelivery>;

/** The status at this time: a delivery that was held for too long is discarded. */
const statusAt = (delivery: Pick<Delivery, 'id' | 'status'>, now: number): DeliveryStatus =>
  delivery.status === 'held' && createdAtOf(delivery) < now - LONGEST_HELD_MS ? 'discarded' : delivery.status;

/** The attributes keep the names of the first data format. */
const { attemptCount: made, scheduleStep: step, messageNumber: turn, list: place } = StoredDelivery.shape;
export const DeliveryItem = StoredDelivery.omit({
  attemptCount: true,
  scheduleStep: true,
  messageNumber: true,
  list: true,
}).extend({ made, step, turn, place });

export function fromDeliveryItem(item: unknown, now: number): StoredDelivery {
  const {
    made: attemptCount,
    step: scheduleStep,
    turn: messageNumber,
    place: list,
    ...same
  } = DeliveryItem.parse(item);
  return {
    ...same,
    attemptCount,
    scheduleStep,
    messageNumber,
    ...(list === undefined ? {} : { list }),
    status: statusAt(same, now),
  };
}

export function toDeliveryItem(delivery: StoredDelivery): z.infer<typeof DeliveryItem> {
  const { attemptCount, scheduleStep, messageNumber, list, ...same } = delivery;
  return {
    ...same,
    made: attemptCount,
    step: scheduleStep,
    turn: messageNumber,
    ...(list === undefined ? {} : { place: list }),
  };
}

export const expiryOf = (now: number): number => Math.floor((now + DELIVERY_LIFETIME_MS) / 1_000);

/** The time at which an item with this expiry was written, epoch ms. */
export const writtenAt = (expiresAt: number): number => expiresAt * 1_000 - DELIVERY_LIFETIME_MS;
