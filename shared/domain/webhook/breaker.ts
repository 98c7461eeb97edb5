import * as z from 'zod';
import { MINUTE_MS } from '../../lib/durations.ts';
import { pauseBefore } from '../delivery/receiver-failure.ts';
import { DeliveryId } from '../id.ts';

/** Failures about the receiver in a row that open the breaker. */
export const FAILURES_TO_OPEN = 10;
/** A success within this time keeps the breaker closed: the receiver takes other events. */
const SUCCESS_MS = 10_000;
/** Failures about the receiver that open the breaker when no other attempt was made in the window. */
const FAILURES_IN_WINDOW = 3;
/** Time window of the breaker. */
export const WINDOW_MS = MINUTE_MS;

/** While a breaker is open, only probes are sent. */
export const Breaker = z.object({
  openedAt: z.number(),
  /** Number of the next probe, from 1. */
  probe: z.number().int(),
  /** Earliest time of the next probe, epoch ms. */
  probeAt: z.number(),
  lastProbed: DeliveryId.optional(),
  /** No message for the next probe exists, because no delivery is due. */
  isIdle: z.boolean().optional(),
});
export type Breaker = z.infer<typeof Breaker>;

interface RecentAttempts {
  /** Starts of failed attempts about the receiver, epoch ms. */
  failures: readonly number[];
  /** Start of the newest success, epoch ms; 0 if there is none. */
  lastSuccess: number;
  /** Start of the newest attempt whose event the receiver refused, epoch ms; 0 if there is none. */
  lastRefusal: number;
}

/**
 * Whether the breaker opens: after ten failures about the receiver in a row without a success in the last 10 s, or
 * after three in the last 60 s without any other attempt.
 */
export function opens({ failures, lastSuccess, lastRefusal }: RecentAttempts, now: number): boolean {
  const lastOther = Math.max(lastSuccess, lastRefusal);
  const row = failures.filter((at) => at > lastOther);
  if (row.length >= FAILURES_TO_OPEN && lastSuccess <= now - SUCCESS_MS) return true;
  const inWindow = row.filter((at) => at > now - WINDOW_MS);
  return inWindow.length >= FAILURES_IN_WINDOW && lastOther <= now - WINDOW_MS;
}

export const openedBreaker = (now: number): Breaker => ({
  openedAt: now,
  probe: 1,
  probeAt: now + pauseBefore(1),
});

/** The breaker after a probe that failed. */
export const afterProbe = (
  { openedAt, probe }: Breaker,
  { lastProbed, now }: { lastProbed: DeliveryId | undefined; now: number },
): Breaker => ({
  openedAt,
  probe: probe + 1,
  probeAt: now + pauseBefore(probe + 1),
  lastProbed,
});
