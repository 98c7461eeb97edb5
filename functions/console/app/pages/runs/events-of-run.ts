import { eventMs } from '../../api/event-position.ts';
import type { Run, ShownEvent, ShownWholeEvent } from '../../api/wire.ts';
import { type RunTrace, traceOfEvent } from '../../events/trace-of-run.ts';

/** Clocks of two functions of the service may differ by this. */
const TOLERANCE_MS = 2_000;

/** Each candidate is read whole. */
export const MAX_CANDIDATES = 20;

/**
 * The events that a run may have emitted: their ids have the time of its trigger or a later one, and they were stored
 * at its end.
 */
export function possibleEvents(
  { received_at_ms: received, ended_at_ms: end }: Run,
  events: readonly ShownEvent[],
): ShownEvent[] {
  if (end === null) return [];
  return events
    .filter(({ id }) => eventMs(id) >= received - TOLERANCE_MS)
    .filter(({ indexed_at_ms: stored }) => stored >= end - TOLERANCE_MS)
    .sort((a, b) => a.indexed_at_ms - b.indexed_at_ms)
    .slice(0, MAX_CANDIDATES);
}

/** Whether a run emitted an event: by its trigger, if the service tells it, else by the log that follows the event. */
export const isOfRun = (
  runId: string,
  { id, trigger_id: triggerId }: Pick<ShownWholeEvent, 'id' | 'trigger_id'>,
  traces: readonly RunTrace[],
): boolean => (triggerId == null ? traceOfEvent(traces, id, undefined)?.runId === runId : triggerId === runId);

/** Whether all logs and errors of a run are there. A run that failed has an error. */
export const isWholeTrace = ({ state }: Pick<Run, 'state'>, trace: RunTrace | undefined): boolean =>
  trace !== undefined && (state !== 'failed' || trace.errors.length > 0);
