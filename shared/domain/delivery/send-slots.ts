/**
 * Slots lie this much further apart than the limit demands: attempts that begin some milliseconds late still keep it.
 */
const SPACING = 1.03;

interface SlotRequest {
  /** The next free slot, epoch ms; undefined before the first reservation. */
  free: number | undefined;
  perSecond: number;
  count: number;
  now: number;
  /** No slot later than this after now. */
  horizonMs: number;
}

/** Reserves evenly spaced slots for attempts: as many as begin within the horizon, at most `count`. */
export function reserveSlots({ free = 0, perSecond, count, now, horizonMs }: SlotRequest): {
  slots: number[];
  free: number;
} {
  const interval = (1_000 / perSecond) * SPACING;
  const first = Math.max(free, now);
  const room = Math.floor((now + horizonMs - first) / interval) + 1;
  const slots = Array.from({ length: Math.max(Math.min(count, room), 0) }, (_, index) => first + index * interval);
  return { slots, free: first + slots.length * interval };
}
