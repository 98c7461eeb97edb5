import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'preact-iso/router';
import { useAddressFilter } from '../hooks/use-address-filter.ts';
import { type Bar, barsOf, type ChartRange, type Granularity, rangeNamed } from './chart-range.ts';

const RANGE = 'range';

/** Times of the metrics of a chart: the buckets that have the time of its bars. */
export interface ChartTimes {
  granularity: Granularity;
  latencies: Granularity;
  sinceMs: number;
  signal: AbortSignal;
}

interface Shown<Metrics> {
  range: ChartRange;
  bars: readonly Bar[];
  metrics: Metrics;
}

/** The range and the metrics of the charts of a page. They are read while the tab is visible. */
export function useCharts<Metrics>(
  { id, created_at: createdAt }: { id: string; created_at: number },
  read: (times: ChartTimes) => Promise<Metrics>,
) {
  const [name, setName] = useAddressFilter(RANGE);
  const range = rangeNamed(name, Date.now() - createdAt * 1_000);
  const query = useQuery({
    queryKey: ['metrics', id, range.value],
    queryFn: async ({ signal }): Promise<Shown<Metrics>> => {
      const bars = barsOf(range, Date.now());
      const sinceMs = bars[0]?.fromMs ?? 0;
      const { granularity, latencies } = range;
      return { range, bars, metrics: await read({ granularity, latencies, sinceMs, signal }) };
    },
    staleTime: range.pollMs / 2,
    refetchInterval: range.pollMs,
    // The bars of the range before stay until those of another one are read.
    placeholderData: (shown) => shown,
  });
  return { query, section: { range, onRange: ({ value }: ChartRange) => setName(value) } };
}

/** Makes the address of the list of a bar, on another page. The range stays. */
export function useBarHref(page: string): (bar: Bar, stream?: string) => string {
  const { query } = useLocation();
  return ({ fromMs, untilMs }, stream = '') => {
    const parameters = new URLSearchParams({
      since: new Date(fromMs).toISOString(),
      until: new Date(untilMs).toISOString(),
    });
    for (const [name, value] of [
      [RANGE, query[RANGE] ?? ''],
      ['stream', stream],
    ] as const)
      if (value !== '') parameters.set(name, value);
    return `${page}?${parameters.toString()}`;
  };
}
