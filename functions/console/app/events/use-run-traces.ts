import { useEventFeed } from '../hooks/use-event-feed.ts';
import { type RunTrace, SHOWN_RUNS, tracesOf } from './trace-of-run.ts';

interface RunTraces {
  traces: readonly RunTrace[];
  /** Whether logs and errors were read. Without it, a missing trace means nothing. */
  isRead: boolean;
  error: unknown;
}

/** The last runs that wrote or failed, newest first. */
export function useRunTraces(
  emitterId: string,
  { interval, isOn = true }: { interval: number | false; isOn?: boolean },
): RunTraces {
  const options = { interval, isOn, limit: SHOWN_RUNS, isWhole: true };
  const logs = useEventFeed({ emitterId, stream: '$logs' }, options);
  const errors = useEventFeed({ emitterId, stream: '$errors' }, options);
  return {
    traces: tracesOf([...(logs.data?.events ?? []), ...(errors.data?.events ?? [])]).slice(0, SHOWN_RUNS),
    isRead: logs.data !== undefined && errors.data !== undefined,
    error: logs.error ?? errors.error,
  };
}
