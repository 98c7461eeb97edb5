import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../shared/lib/durations.ts';

const SECOND_MS = 1_000;

/** A distance below this is no more than the clocks of two machines may differ. */
const NOW_MS = 5 * SECOND_MS;

/** The unit of a distance, and the steps in which it is told. */
const UNITS = [
  { below: MINUTE_MS, unit: SECOND_MS, name: 's', step: 5 * SECOND_MS },
  { below: HOUR_MS, unit: MINUTE_MS, name: 'min', step: MINUTE_MS },
  { below: DAY_MS, unit: HOUR_MS, name: 'h', step: HOUR_MS },
  { below: Infinity, unit: DAY_MS, name: 'd', step: DAY_MS },
] as const;

interface RelativeTime {
  /** `4 min ago`, `in 2 h`, `now`. */
  text: string;
  /** Time after which the text is another one. */
  changesInMs: number;
}

/** The times of a list change together: each change of a text lays out its whole table. */
const TOGETHER_MS = 5 * SECOND_MS;

/** The delay from now until a change that is due in some time, and those of the other texts of the page. */
export function changeOf(changesInMs: number, now: number): number {
  const due = now + changesInMs;
  return Math.ceil(due / TOGETHER_MS) * TOGETHER_MS - now;
}

/** The distance of a time from now. */
export function relativeTime(ms: number, now: number): RelativeTime {
  const distance = Math.abs(now - ms);
  if (distance < NOW_MS) return { text: 'now', changesInMs: NOW_MS };
  const { unit, name, step } = UNITS.find(({ below }) => distance < below) ?? UNITS[3];
  const told = `${Math.floor(distance / step) * (step / unit)} ${name}`;
  // A time to come changes its text sooner than its step.
  return ms <= now
    ? { text: `${told} ago`, changesInMs: step - (distance % step) }
    : { text: `in ${told}`, changesInMs: Math.max(SECOND_MS, distance % step) };
}
