const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The labelled latencies of a logarithmic scale, in ms. */
const STEPS = [1, 10, 100, SECOND, 10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 10 * HOUR, 4 * DAY, 40 * DAY, 400 * DAY];

const UNITS = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
  [SECOND, 's'],
  [1, 'ms'],
] as const;

/** `12 ms`, `1.5 s`, `3 min`. */
export function latencyText(ms: number): string {
  const [unit, name] = UNITS.find(([each]) => ms >= each) ?? [1, 'ms'];
  const count = ms / unit;
  return `${count < 10 ? Math.round(count * 10) / 10 : Math.round(count)} ${name}`;
}

/** The labelled latencies around some latencies: the last one below them up to the first one above them. */
export function latencySteps(min: number, max: number): readonly number[] {
  const first = Math.max(
    0,
    STEPS.findLastIndex((step) => step <= min),
  );
  const last = STEPS.findIndex((step, n) => n > first && step >= max);
  return STEPS.slice(first, last < 0 ? STEPS.length : last + 1);
}
