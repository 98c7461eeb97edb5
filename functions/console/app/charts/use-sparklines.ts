import { useQueries } from '@tanstack/preact-query';
import { type CountMeasure, getSparkCounts } from '../api/metric-api.ts';
import type { CountRow } from '../api/wire.ts';
import { useMedia } from '../hooks/use-media.ts';

/** The column is hidden on narrower screens. */
const IS_SHOWN = '(min-width: 48rem)';
const POLL_MS = 60_000;

/** The counts of the last 24 hours of each source or webhook of a list, by its id: one request per page of the list. */
export function useSparklines(
  subject: 'source_id' | 'webhook_id',
  measure: CountMeasure,
  pages: readonly (readonly { id: string }[])[],
): (id: string) => readonly CountRow[] | undefined {
  const isShown = useMedia(IS_SHOWN);
  const reads = useQueries({
    queries: pages.map((items) => {
      const ids = items.map(({ id }) => id);
      return {
        queryKey: ['sparklines', measure, ids],
        queryFn: ({ signal }: { signal: AbortSignal }) => getSparkCounts(measure, { subject, ids, signal }),
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
