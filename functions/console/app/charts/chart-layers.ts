import type { CountRow, LatencyRow } from '../api/wire.ts';
import type { Bar } from './chart-range.ts';

/** The values of a chart that have one colour and one name. */
export interface Layer {
  name: string;
  /** The number of its colour among `--plot-…`. */
  colour: 1 | 2 | 3 | 4 | 5;
  /** One per bar; null for none. */
  values: readonly (number | null)[];
}

export const sum = (numbers: readonly (number | null)[]): number =>
  numbers.reduce<number>((total, each) => total + (each ?? 0), 0);

export const largest = (numbers: readonly (number | null)[]): number =>
  numbers.reduce<number>((most, each) => Math.max(most, each ?? 0), 0);

/** The count of each bar: those of the buckets that begin in it. Bars and rows are in the order of time. */
export function countsOf(
  bars: readonly Bar[],
  rows: readonly CountRow[],
  countOf = ({ value }: CountRow): number => value,
): number[] {
  const counts = bars.map(() => 0);
  let n = 0;
  for (const row of rows) {
    while (n < bars.length && row.at_ms >= (bars[n]?.untilMs ?? Infinity)) n += 1;
    const bar = bars[n];
    if (bar && row.at_ms >= bar.fromMs) counts[n] = (counts[n] ?? 0) + countOf(row);
  }
  return counts;
}

type StatusClass = keyof NonNullable<CountRow['by_status']>;

/** Failures are at the bottom, where small counts can be compared. */
const CLASSES: readonly (readonly [StatusClass, string, Layer['colour']])[] = [
  ['2xx', '2xx', 1],
  ['3xx', '3xx', 4],
  ['4xx', '4xx', 3],
  ['5xx', '5xx', 2],
  ['none', 'No response', 5],
];

/** Attempts by the class of their status. */
export const statusLayers = (bars: readonly Bar[], rows: readonly CountRow[]): readonly Layer[] =>
  CLASSES.map(([status, name, colour]) => ({
    name,
    colour,
    values: countsOf(bars, rows, ({ by_status: by = {} }) => by[status] ?? 0),
  }));

/** Attempts that did not deliver. */
export const failuresOf = ({ value, by_status: by = {} }: CountRow): number => value - (by['2xx'] ?? 0);

/** Quantiles of buckets with deliveries; null for the others. */
export function latencyLayers(rows: readonly LatencyRow[]): readonly Layer[] {
  const of = (valueOf: (row: LatencyRow) => number) => rows.map((row) => (row.p99 === 0 ? null : valueOf(row)));
  return [
    { name: 'p99', colour: 2, values: of(({ p99 }) => p99) },
    { name: 'p95', colour: 3, values: of(({ p95 }) => p95) },
    { name: 'p50', colour: 1, values: of(({ p50 }) => p50) },
  ];
}

/** Each layer with those after it added, so that bars which are drawn over one another look stacked. */
export const stackedHeights = (layers: readonly Layer[]): readonly (readonly number[])[] =>
  layers.map(({ values }, n) => values.map((_, bar) => sum(layers.slice(n).map((each) => each.values[bar] ?? 0))));

/** The first layer, and the others with values. */
export const shownLayers = (layers: readonly Layer[]): readonly Layer[] =>
  layers.filter(({ values }, n) => n === 0 || values.some((value) => (value ?? 0) > 0));

/** The number of the bar with a value that is nearest to a bar. */
export function nearestFilled(layers: readonly Layer[], bar: number): number | undefined {
  const { length } = layers[0]?.values ?? [];
  const isFilled = (n: number): boolean => layers.some(({ values }) => (values[n] ?? 0) > 0);
  for (let distance = 0; distance < length; distance += 1)
    for (const n of [bar - distance, bar + distance]) if (isFilled(n)) return n;
  return undefined;
}
