/**
 * Rough weather: the unkindness of the real cloud, as a setting of the embedded one. Each service asks `strikes` at the
 * places where AWS makes no promise and does the unkind thing when told to; every strike is counted by kind.
 */
export interface Weather {
  strikes(kind: WeatherKind): boolean;
  readonly counts: Readonly<Record<WeatherKind, number>>;
}

export const weatherKinds = [
  /** DynamoDB: an eventually consistent read returns the previous version. */
  'stale-read',
  /** DynamoDB: a batch write leaves some entries in `UnprocessedItems`, a batch read in `UnprocessedKeys`. */
  'unprocessed-item',
  /** SQS: a standard queue delivers a message again although it was deleted, or out of order. */
  'repeated-message',
  'reordered-message',
  /** SQS: a batch call refuses some entries (`Failed`). */
  'refused-entry',
  /** SQS: a FIFO batch mixes several groups. */
  'mixed-groups',
  /** Scheduler: a schedule fires late, or twice. */
  'late-schedule',
  'repeated-schedule',
  /** Lambda: consecutive invocations land on different instances. */
  'other-instance',
] as const;

export type WeatherKind = (typeof weatherKinds)[number];

export const fairWeather: Weather = {
  strikes: () => false,
  counts: Object.fromEntries(weatherKinds.map((kind) => [kind, 0])) as Record<WeatherKind, number>,
};

/** Strikes with the given chance of each kind, from a seed, so that a failing run can be repeated. */
export function roughWeather(seed: number, chances: Partial<Record<WeatherKind, number>>): Weather {
  const counts = Object.fromEntries(weatherKinds.map((kind) => [kind, 0])) as Record<WeatherKind, number>;
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    counts,
    strikes(kind) {
      const struck = random() < (chances[kind] ?? 0);
      if (struck) counts[kind] += 1;
      return struck;
    },
  };
}
