import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { rangeOf } from '../components/times/time-range.ts';
import { useChosenTime } from '../components/times/time-range-filter.tsx';
import { useAddressFilter } from '../hooks/use-address-filter.ts';
import { type Bar, barsOf, type ChartRange, type Granularity, rangeNamed } from './chart-range.ts';

/** On narrower screens charts are folded at first: the lists are more important. */
const IS_WIDE = '(min-width: 48rem)';
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

/** The range and the metrics of the charts of a page. They are read while charts are open and the tab is visible. */
export function useCharts<Metrics>(id: string, read: (times: ChartTimes) => Promise<Metrics>) {
  const [name, setName] = useAddressFilter(RANGE);
  const [isOpen, setOpen] = useState(() => matchMedia(IS_WIDE).matches);
  const range = rangeNamed(name);
  const query = useQuery({
    queryKey: ['metrics', id, range.value],
    queryFn: async ({ signal }): Promise<Shown<Metrics>> => {
      const bars = barsOf(range, Date.now());
      const sinceMs = bars[0]?.fromMs ?? 0;
      const { granularity, latencies } = range;
      return { range, bars, metrics: await read({ granularity, latencies, sinceMs, signal }) };
    },
    enabled: isOpen,
    staleTime: range.pollMs / 2,
    refetchInterval: range.pollMs,
    // The bars of the range before stay until those of another one are read.
    placeholderData: (shown) => shown,
  });
  return {
    query,
    chosen: useChosenBar(),
    section: {
      range,
      onRange: ({ value }: ChartRange) => setName(value),
      isOpen,
      onToggle: setOpen,
    },
  };
}

/** The part of the time that the list of the page shows. */
function useChosenBar(): Bar | undefined {
  const { sinceMs, untilMs } = rangeOf({ ...useChosenTime(), time: '' }, 0);
  return sinceMs === undefined || untilMs === undefined ? undefined : { fromMs: sinceMs, untilMs };
}

/** Makes the address of the list of a bar on this page. The range stays. */
export function useBarHref(): (bar: Bar, stream?: string) => string {
  const { path, query } = useLocation();
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
    return `${path}?${parameters.toString()}`;
  };
}
