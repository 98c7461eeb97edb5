import { eventSequence, eventMs } from '../api/event-position.ts';
import type { EventSummary } from '../api/wire.ts';

/** Runs whose logs and errors are shown. */
export const SHOWN_RUNS = 20;

interface LogLine {
  kind: string;
  text: string;
  /** The line of an error that the run threw. */
  isThrown: boolean;
}
export interface RunError {
  code: string;
  message: string;
  stack: string;
}
/** The logs and errors of a run. */
export interface RunTrace {
  runId: string;
  /** Time of the trigger of the run, epoch ms. */
  ms: number;
  /** The highest sequence number among the run's events with this time. */
  lastSequence: number;
  lines: readonly LogLine[];
  errors: readonly RunError[];
}

/**
 * The trace of one event's run. The events of an emitter are numbered across its streams, and those of a run follow one
 * another with the logs at their end: without a known trigger, the trace is the first one after the event.
 */
export function traceOfEvent(
  traces: readonly RunTrace[],
  eventId: string,
  triggerId: string | null | undefined,
): RunTrace | undefined {
  if (triggerId != null) return traces.find(({ runId }) => runId === triggerId);
  return traces
    .filter(({ ms, lastSequence }) => ms === eventMs(eventId) && lastSequence > eventSequence(eventId))
    .sort((a, b) => a.lastSequence - b.lastSequence)[0];
}

/** The traces of events of `$logs` and `$errors`, newest first. */
export function tracesOf(events: readonly Pick<EventSummary, 'id' | 'event'>[]): RunTrace[] {
  const byRun = new Map<string, RunTrace>();
  for (const event of events) {
    const { runId, lines, errors } = contentOf(event);
    const known = byRun.get(runId) ?? {
      runId,
      ms: eventMs(event.id),
      lastSequence: 0,
      lines: [],
      errors: [],
    };
    byRun.set(runId, {
      ...known,
      lastSequence: Math.max(known.lastSequence, eventSequence(event.id)),
      lines: [...known.lines, ...lines],
      errors: [...known.errors, ...errors],
    });
  }
  return [...byRun.values()].map(withoutRepetition).sort((a, b) => b.ms - a.ms || b.lastSequence - a.lastSequence);
}

/** `$errors` says more of a thrown error than its line in `$logs`. */
const withoutRepetition = (trace: RunTrace): RunTrace =>
  trace.errors.length === 0 ? trace : { ...trace, lines: trace.lines.filter(({ isThrown }) => !isThrown) };

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An event of `$logs` has lines, one of `$errors` an error. */
function contentOf({ id, event }: Pick<EventSummary, 'id' | 'event'>): Omit<RunTrace, 'ms' | 'lastSequence'> {
  const { run_id: runId, lines, error, original_context: context } = record(event);
  const failure = record(error);
  return {
    runId: text(runId) || text(record(context)['id']) || id,
    lines: Array.isArray(lines) ? lines.map(lineOf) : [],
    errors:
      error === undefined
        ? []
        : [{ code: text(failure['code']), message: text(failure['message']), stack: text(failure['stack']) }],
  };
}

function lineOf(line: unknown): LogLine {
  const { k: kind, msg, err } = record(line);
  const { name, message } = record(err);
  return {
    kind: text(kind).replace(/^console\./, '') || 'log',
    text: text(msg) || [text(name), text(message)].filter((part) => part !== '').join(': '),
    isThrown: err !== undefined,
  };
}
