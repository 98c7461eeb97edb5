import type { AttemptSummary } from '../delivery/delivery.ts';

/** A response that takes longer is slow. */
export const SLOW_MS = 1_500;

/** Weight of one response: the share is that of about the last sixteen. */
const WEIGHT = 1 / 16;
/** Share of slow responses from which a webhook is slow: also after five of them in a row. */
const SLOW_FROM = 1 / 4;
/** Share below which a slow webhook is fast again. */
const FAST_BELOW = 1 / 8;
/** A smaller share is not stored. */
const LEAST_SHARE = 1 / 1_000;

/** How slowly a webhook responds, as its health stores it. */
export interface Slowness {
  /** Share of slow ones among its recent responses, from 0 to 1. */
  slowShare?: number | undefined;
  /** The webhook is slow since then, epoch ms. */
  slowSince?: number | undefined;
}

interface EndedAttempt extends Pick<AttemptSummary, 'at' | 'ms' | 'outcome'> {
  /** Fast responses of the same process before it that were not recorded. */
  fastBefore?: number | undefined;
}

/** An attempt without a response counts for the breaker, not here. */
const isResponse = ({ outcome }: EndedAttempt): boolean => outcome === 'delivered' || outcome === 'rejected';

/**
 * The slowness after an attempt. Fast responses of a webhook that is not slow need no record: a later attempt counts
 * them.
 */
export function slownessAfter(before: Slowness, attempt: EndedAttempt): Slowness {
  const { at, ms, fastBefore = 0 } = attempt;
  const known = (before.slowShare ?? 0) * (1 - WEIGHT) ** fastBefore;
  const value = ms > SLOW_MS ? 1 : 0;
  const share = isResponse(attempt) ? known + WEIGHT * (value - known) : known;
  const isSlow = share >= (before.slowSince === undefined ? SLOW_FROM : FAST_BELOW);
  return {
    slowShare: share < LEAST_SHARE ? undefined : share,
    slowSince: isSlow ? (before.slowSince ?? at + ms) : undefined,
  };
}
