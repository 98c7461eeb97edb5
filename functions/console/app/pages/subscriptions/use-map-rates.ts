import { MINUTE_MS } from '../../../../../shared/lib/durations.ts';
import { useQuery } from '@tanstack/preact-query';
import { getManyCounts } from '../../api/metric-api.ts';

/** The rate is the mean of so many minutes. */
const MINUTES = 5;

const NONE: ReadonlyMap<string, number> = new Map();

/** Events a minute of sources, and attempts a minute of webhooks, by id. */
export function useMapRates(ids: readonly string[]): ReadonlyMap<string, number> {
  const { data } = useQuery({
    queryKey: ['map-rates', ids],
    queryFn: ({ signal }) => readRates(ids, signal),
    staleTime: MINUTE_MS / 2,
    refetchInterval: MINUTE_MS,
    placeholderData: (shown) => shown,
  });
  return data ?? NONE;
}

async function readRates(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  // The counts of a minute are complete a minute later.
  const untilMs = Math.floor(Date.now() / MINUTE_MS - 1) * MINUTE_MS;
  const times = { granularity: 'minute', sinceMs: untilMs - MINUTES * MINUTE_MS, untilMs, signal } as const;
  const sources = ids.filter((id) => /^dc_(?!notices)[^*]/.test(id));
  const webhooks = ids.filter((id) => id.startsWith('wh_'));
  const [events, attempts] = await Promise.all([
    getManyCounts('events', { subject: 'source_id', ids: sources, ...times }),
    getManyCounts('attempts', { subject: 'webhook_id', ids: webhooks, ...times }),
  ]);
  return new Map(
    [...events, ...attempts].map(([id, rows]) => [id, rows.reduce((sum, { value }) => sum + value, 0) / MINUTES]),
  );
}
