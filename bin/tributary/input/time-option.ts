import { usageFailure } from '../failures.ts';
import { readSince } from '../output/times.ts';

/** The time of an option, epoch ms: some time ago, or an ISO time. */
export function sinceOption(option: string, text: string, now: number): number {
  const at = readSince(text, now);
  if (at !== undefined) return at;
  throw usageFailure(`${option} must be a time such as 2h, 3d or 2026-11-22T10:00:00Z, not ${text}.`);
}
