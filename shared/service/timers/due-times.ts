import { LONGEST_DELAY_SECONDS, secondsUntil } from '../../domain/queue-delay.ts';

export const MINUTE_MS = 60_000;

/** The ticks after `from`, up to but without `to`; epoch ms. */
export function dueWithin(
  { anchor, intervalSeconds }: { anchor: number; intervalSeconds: number },
  from: number,
  to: number,
): number[] {
  const interval = intervalSeconds * 1_000;
  const due: number[] = [];
  for (let n = Math.max(Math.ceil((from - anchor) / interval), 1); anchor + n * interval < to; n += 1) {
    due.push(anchor + n * interval);
  }
  return due;
}

export const delayUntil = (at: number, now: number): number =>
  Math.min(secondsUntil(at, now), LONGEST_DELAY_SECONDS);

/**
 * The minute that a schedule's message answers for: the one after its own, so that it may be a minute late. Minutes are counted from the
 * anchor, hence none is left out or answered twice when the nominal time is rounded.
 */
export function minuteAnsweredFor(anchor: number, scheduledAt: number): { from: number; to: number } {
  const index = Math.round((scheduledAt - anchor) / MINUTE_MS);
  return { from: anchor + (index + 1) * MINUTE_MS, to: anchor + (index + 2) * MINUTE_MS };
}
