import { Histogram, type HistogramConfiguration } from 'prom-client';
import type { Histogram as Counts } from '../../../shared/domain/metrics/histogram.ts';

/** A histogram of times, with its labels. */
export interface RecordedTimes {
  readonly labels: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly times: Counts;
}

/**
 * A histogram whose values were counted elsewhere: the library only takes single values. Buckets are cumulative, and
 * the last one has all values.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#histograms-and-summaries
 */
export class RecordedHistogram extends Histogram {
  readonly #about: { readonly name: string; readonly help: string };
  readonly #recorded: () => readonly RecordedTimes[];

  constructor({ recorded, ...about }: HistogramConfiguration<never> & { recorded: () => readonly RecordedTimes[] }) {
    super(about);
    this.#about = about;
    this.#recorded = recorded;
  }

  /** The registry of the library calls it. */
  getForPromString(): Promise<object> {
    const { name, help } = this.#about;
    const values = this.#recorded().flatMap((each) => valuesOf(name, each));
    return Promise.resolve({ name, help, type: 'histogram', values });
  }
}

function valuesOf(name: string, { labels, times: { bounds, counts } }: RecordedTimes): object[] {
  let count = 0;
  const buckets = counts.buckets.map((more, n) => {
    count += more;
    const bound = bounds[n];
    const le = bound === undefined ? '+Inf' : String(bound / 1_000);
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: counts.sum / 1_000 },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
