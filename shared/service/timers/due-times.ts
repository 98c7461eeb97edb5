import { MINUTE_MS } from '../../lib/durations.ts';
import { LONGEST_DELAY_SECONDS, secondsUntil } from '../../domain/run/queue-delay.ts';

/** The ticks from `from` to before `to`, without the anchor itself; epoch ms. */
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

export const delayUntil = (at: number, now: number): number => Math.min(secondsUntil(at, now), LONGEST_DELAY_SECONDS);

/**
 * The minute whose ticks a schedule's message sends: the minute after its own, so that the message may be up to a
 * minute late. Minutes are counted from the anchor, so that a rounded nominal time neither skips nor repeats a minute.
 */
export function minuteOf(anchor: number, scheduledAt: number): { from: number; to: number } {
  const index = Math.round((scheduledAt - anchor) / MINUTE_MS);
  return { from: anchor + (index + 1) * MINUTE_MS, to: anchor + (index + 2) * MINUTE_MS };
}
