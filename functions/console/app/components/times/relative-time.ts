const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A distance below this is no more than the clocks of two machines may differ. */
const NOW_MS = 5 * SECOND;

/** The unit of a distance, and the steps in which it is told. */
const UNITS = [
  { below: MINUTE, unit: SECOND, name: 's', step: 5 * SECOND },
  { below: HOUR, unit: MINUTE, name: 'min', step: MINUTE },
  { below: DAY, unit: HOUR, name: 'h', step: HOUR },
  { below: Infinity, unit: DAY, name: 'd', step: DAY },
] as const;

interface RelativeTime {
  /** `4 min ago`, `in 2 h`, `now`. */
  text: string;
  /** Time after which the text is another one. */
  changesInMs: number;
}

/** The distance of a time from now. */
export function relativeTime(ms: number, now: number): RelativeTime {
  const distance = Math.abs(now - ms);
  if (distance < NOW_MS) return { text: 'now', changesInMs: NOW_MS };
  const { unit, name, step } = UNITS.find(({ below }) => distance < below) ?? UNITS[3];
  const told = `${Math.floor(distance / step) * (step / unit)} ${name}`;
  // A time to come changes its text sooner than its step, never later.
  return ms <= now
    ? { text: `${told} ago`, changesInMs: step - (distance % step) }
    : { text: `in ${told}`, changesInMs: Math.max(SECOND, distance % step) };
}
