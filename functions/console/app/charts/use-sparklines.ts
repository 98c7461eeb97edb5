import { useQueries } from '@tanstack/preact-query';
import { type CountMeasure, getManyCounts } from '../api/metric-api.ts';
import type { CountRow } from '../api/wire.ts';
import { useWide } from '../hooks/use-wide.ts';

const POLL_MS = 60_000;

const PAGE = 50;

/** Items in groups of one request, which do not change with the order inside a group, nor with more items. */
export function sparkPages<Item extends { id: string }>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / PAGE) }, (_, n) =>
    items.slice(n * PAGE, (n + 1) * PAGE).sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
}

/** The counts of the last 24 hours of each source or webhook of a list, by its id: one request for each group. */
export function useSparklines(
  subject: 'source_id' | 'webhook_id',
  measure: CountMeasure,
  pages: readonly (readonly { id: string }[])[],
): (id: string) => readonly CountRow[] | undefined {
  // Stacked rows have no such column.
  const isShown = useWide();
  const reads = useQueries({
    queries: pages.map((items) => {
      const ids = items.map(({ id }) => id);
      return {
        queryKey: ['sparklines', measure, ids],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          getManyCounts(measure, { subject, ids, granularity: 'hour', signal }),
        enabled: isShown && ids.length > 0,
        staleTime: POLL_MS / 2,
        refetchInterval: POLL_MS,
        placeholderData: (shown: ReadonlyMap<string, readonly CountRow[]> | undefined) => shown,
      };
    }),
  });
  const byId = new Map(reads.flatMap(({ data }) => [...(data ?? [])]));
  return (id) => byId.get(id);
}
