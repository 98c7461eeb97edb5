import { useQueries } from '@tanstack/preact-query';
import { getEvent } from '../../api/event-api.ts';
import type { Run, ShownWholeEvent } from '../../api/wire.ts';
import type { RunTrace } from '../../events/trace-of-run.ts';
import { useEventFeed } from '../../hooks/use-event-feed.ts';
import { possibleEvents, isOfRun } from './events-of-run.ts';

interface RunEventsOptions {
  run: Run;
  traces: readonly RunTrace[];
  interval: number | false;
}

/** The events of a run on the default stream, oldest first, with their deliveries as they go on. */
export function useRunEvents(
  sourceId: string,
  { run, traces, interval }: RunEventsOptions,
): readonly ShownWholeEvent[] {
  const stream = { emitterId: sourceId };
  const feed = useEventFeed(stream, { interval });
  const candidates = possibleEvents(run, feed.data?.events ?? []);
  const found = useQueries({
    queries: candidates.map(({ id }) => ({
      queryKey: ['event', stream, id],
      queryFn: () => getEvent(stream, id),
      refetchInterval: interval,
    })),
  });
  return found
    .flatMap(({ data }) => (data && isOfRun(run.id, data, traces) ? [data] : []))
    .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}
