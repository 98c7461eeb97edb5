import { useEffect, useState } from 'preact/hooks';
import type { Run } from '../../api/wire.ts';
import type { RunTrace } from '../../events/trace-of-run.ts';
import { useRunTraces } from '../../events/use-run-traces.ts';
import { useElapsed } from '../../hooks/use-elapsed.ts';
import { isWholeTrace } from './events-of-run.ts';
import { type EventsOfRun, useRunEvents } from './use-run-events.ts';

/** Time after which the page of a run that has ended reads nothing more by itself. */
const FOLLOW_MS = 60_000;

/** Logs and errors are read whole, so less often than events. */
const TRACE_POLL_MS = 2_000;

export interface LogsOfRun {
  /** Undefined: none, or not read. */
  trace: RunTrace | undefined;
  isRead: boolean;
  error: unknown;
}

/**
 * The events, logs and errors of a run. Nothing is read before its end, and only the missing parts for a minute after
 * it.
 */
export function useRunOutcome(
  sourceId: string,
  { run, isPaused }: { run: Run; isPaused: boolean },
): { events: EventsOfRun; logs: LogsOfRun } {
  const hasEnded = run.ended_at_ms !== null;
  const isOver = useElapsed(hasEnded, FOLLOW_MS);
  const isFollowing = hasEnded && !isOver && !isPaused;
  const [isTraced, setTraced] = useState(false);
  const { traces, isRead, error } = useRunTraces(sourceId, {
    interval: isFollowing && !isTraced ? TRACE_POLL_MS : false,
    isOn: hasEnded,
  });
  const trace = traces.find(({ runId }) => runId === run.id);
  const isWhole = isWholeTrace(run, trace);
  useEffect(() => setTraced(isWhole), [isWhole]);
  const events = useRunEvents(sourceId, { run, traces, isFollowing });
  return {
    // Without the logs, the run of an event may be unknown.
    events: { ...events, isRead: events.isRead && (isRead || run.emitted === 0) },
    logs: { trace, isRead, error },
  };
}
