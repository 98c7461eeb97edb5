import { useEventFeed } from '../hooks/use-event-feed.ts';
import { tracesOf } from './trace-of-run.ts';

/** Runs whose logs and errors are shown. */
const SHOWN_RUNS = 20;

/** The last runs that wrote or failed, newest first. */
export function useRunTraces(emitterId: string, interval: number | false) {
  const options = { interval, limit: SHOWN_RUNS, isWhole: true };
  const logs = useEventFeed({ emitterId, stream: '$logs' }, options);
  const errors = useEventFeed({ emitterId, stream: '$errors' }, options);
  return tracesOf([...(logs.data?.events ?? []), ...(errors.data?.events ?? [])]).slice(0, SHOWN_RUNS);
}
