import { usageFailure } from '../failures.ts';
import { readDuration, readSince } from '../output/times.ts';

/** The time of an option, epoch ms: some time ago, or an ISO time. */
export function sinceOption(option: string, text: string, now: number): number {
  const at = readSince(text, now);
  if (at !== undefined) return at;
  throw usageFailure(`${option} must be a time such as 2h, 3d or 2026-11-22T10:00:00Z, not ${text}.`);
}

/** The time of an option, epoch ms: after some time, or an ISO time. */
export function untilOption(option: string, text: string, now: number): number {
  const duration = readDuration(text);
  return duration === undefined ? sinceOption(option, text, now) : now + duration;
}

/** The seconds of an option such as `24h`. */
export function durationOption(option: string, text: string): number {
  const duration = readDuration(text);
  if (duration !== undefined) return duration / 1_000;
  throw usageFailure(`${option} must be a time such as 30m, 24h or 7d, not ${text}.`);
}
