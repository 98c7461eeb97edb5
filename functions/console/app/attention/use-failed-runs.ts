import { useQuery } from '@tanstack/preact-query';
import { type FailedRuns, failedRunsOf, MAX_COUNTED_SOURCES } from '../../../../shared/domain/source/run-counts.ts';
import { getManyCounts } from '../api/metric-api.ts';
import type { CountRow } from '../api/wire.ts';
import { sum } from '../charts/chart-layers.ts';

const sumOf = (rows: readonly CountRow[] = []): number => sum(rows.map(({ value }) => value));

/** The counts of runs of these sources, by id: two requests for all. */
export function useFailedRuns(
  sourceIds: readonly string[],
  pollMs: number | false,
): ReadonlyMap<string, FailedRuns> | undefined {
  const ids = sourceIds.slice(0, MAX_COUNTED_SOURCES).sort();
  const { data } = useQuery({
    queryKey: ['failed-runs', ids],
    queryFn: async ({ signal }) => {
      const subjects = { subject: 'source_id', ids, granularity: 'hour', signal } as const;
      const [errors, runs] = await Promise.all([getManyCounts('errors', subjects), getManyCounts('runs', subjects)]);
      return new Map(ids.map((id) => [id, failedRunsOf(sumOf(errors.get(id)), sumOf(runs.get(id)))]));
    },
    enabled: ids.length > 0,
    refetchInterval: pollMs,
    placeholderData: (shown) => shown,
  });
  return data;
}
