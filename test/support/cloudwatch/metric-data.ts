import type { WatchedMetric } from './alarms-of.ts';

type Identity = Pick<WatchedMetric, 'namespace' | 'name' | 'dimensions'>;

const MINUTE_MS = 60_000;

/** The number of a minute. */
export const minuteNumber = (at: number): number => Math.floor(at / MINUTE_MS);

const keyOf = ({ namespace, name, dimensions }: Identity): string =>
  JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);

/** Values of metrics by minute. A minute without values has none: AWS sends no zeros for most metrics. */
export class MetricData {
  readonly #values = new Map<string, Map<number, number[]>>();

  add(metric: Identity, at: number, value: number): void {
    const key = keyOf(metric);
    const minutes = this.#values.get(key) ?? new Map<number, number[]>();
    this.#values.set(key, minutes);
    const minute = minuteNumber(at);
    minutes.set(minute, [...(minutes.get(minute) ?? []), value]);
  }

  /** The metric's statistic of one minute. */
  read(metric: WatchedMetric, minute: number): number | undefined {
    const values = this.#values.get(keyOf(metric))?.get(minute);
    if (!values) return undefined;
    return metric.statistic === 'Sum' ? values.reduce((sum, each) => sum + each, 0) : Math.max(...values);
  }
}
