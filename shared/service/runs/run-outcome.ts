import { cut } from '../../lib/cut.ts';
import { type Deduped, dedupe, type DedupeState } from '../../domain/event/dedupe.ts';
import type { ErrorContext } from '../../domain/run/error-event.ts';
import { errorLine, logEvent, type LogLine } from '../../domain/run/log-event.ts';
import type { RunError } from '../../domain/run/run.ts';
import type { SourceTraits } from '../../domain/component/source-traits.ts';
import { isReserved, LOGS_STREAM, streamOf } from '../../domain/event/stream.ts';
import { EventName } from '../../domain/text.ts';
import { errorEventOf, ourError, type PlannedEvent } from '../commit/planned-event.ts';
import { CRASHED, type EmitLine, type JobResult } from './job-result.ts';

export interface RunOutcome {
  /** Context of the run's `$errors` events. */
  context: ErrorContext;
  events: PlannedEvent[];
  dedupe: DedupeState;
}

export interface FinishedRun {
  context: ErrorContext;
  traits: Pick<SourceTraits, 'dedupe'>;
  result: JobResult;
  dedupe: DedupeState;
  now: number;
  /** Replaces the thrown error's own code. */
  errorCode?: string;
}

/** Error events of one run. Each holds the original event. */
const MAX_ERRORS = 10;

/** The events of a finished run, oldest first: its new emits, its errors, its log. */
export function outcomeOf({
  context: runContext,
  traits,
  result,
  dedupe: state,
  now,
  errorCode,
}: FinishedRun): RunOutcome {
  const { redactor } = result;
  const context = redactor
    ? { ...runContext, originalEvent: once(() => redactor.inJson(runContext.originalEvent())) }
    : runContext;
  const errors: RunError[] = [];
  const emits: EmitLine[] = [];
  for (const emit of result.emits) {
    const refused = wrongStream(emit.meta.name);
    if (refused) errors.push(refused);
    else emits.push(emit);
  }
  const fresh = dedupe(
    traits.dedupe,
    state,
    emits.map((emit) => ({ id: emit.meta.idHash ?? emit.meta.id, ts: emit.meta.ts, emit })),
  );
  const failure = result.state === 'lost' ? CRASHED : result.failure;
  errors.push(...result.errors, ...(result.state === 'lost' ? [CRASHED] : []));
  const shownErrors = limited(errors);
  const leftOut = errors.length + (result.errorsLeftOut ?? 0) - shownErrors.length;

  const logs = [
    ...result.logs,
    ...(fresh.withoutId.length === 0 ? [] : [warning(fresh.withoutId.length, traits, now)]),
    ...(leftOut === 0 ? [] : [leftOutWarning(leftOut, now)]),
    ...overtakenWarning(fresh, now),
    ...(failure && !result.logs.some(({ err }) => err) ? [errorLine(failure, now)] : []),
  ];
  const events = fresh.emitted.map(({ emit }) => plannedOf(emit));
  for (const [index, error] of shownErrors.entries()) {
    const shown = errorCode !== undefined && error === failure ? { ...error, code: errorCode } : error;
    events.push(errorEventOf(context, shown, now, index));
  }
  const log = logEvent(context.runId, logs);
  if (log !== undefined) events.push({ stream: LOGS_STREAM, json: log, identity: 'log' });
  return { context, events, dedupe: fresh.state };
}

/** The first errors and the last one, which is the run's own failure if it failed. */
const limited = (errors: readonly RunError[]): readonly RunError[] =>
  errors.length <= MAX_ERRORS ? errors : [...errors.slice(0, MAX_ERRORS - 1), ...errors.slice(-1)];

/** Redacting an event of 1 MiB takes a tenth of a second. */
function once(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}

const leftOutWarning = (count: number, ts: number): LogLine => ({
  level: 'console.warn',
  ts,
  msg: `${count} further errors are not on $errors; a run has at most ${MAX_ERRORS} there`,
});

const plannedOf = ({ json, shortened, meta }: EmitLine): PlannedEvent => ({
  stream: streamOf(meta.name),
  json,
  shortened,
  ownId: meta.id === undefined ? undefined : String(meta.id),
  summary: meta.summary,
  ts: meta.ts,
  deliveryTs: meta.deliveryTs,
});

function wrongStream(name: string | undefined): RunError | undefined {
  const stream = streamOf(name);
  if (isReserved(stream)) {
    return ourError('reserved_stream', `Stream names that begin with $ are reserved: ${cut(stream, 128)}`);
  }
  if (name === undefined || EventName.safeParse(stream).success) return undefined;
  return ourError('invalid_stream', 'The name of a stream must have at most 128 characters and no control characters');
}

/** A page of results is often sorted with the newest first; `greatest` then emits only that one. */
const overtakenWarning = ({ emitted, overtaken = [] }: Deduped<unknown>, ts: number): LogLine[] =>
  emitted.length !== 1 || overtaken.length === 0
    ? []
    : [
        {
          level: 'console.warn',
          ts,
          msg:
            `dedupe "greatest" emitted 1 event of this run and dropped ${overtaken.length}, whose ids are lower than that of the event ` +
            'emitted before them. Emit events in ascending order of their ids, or give each a ts, by which they are sorted',
        },
      ];

const warning = (count: number, { dedupe: strategy }: Pick<SourceTraits, 'dedupe'>, ts: number): LogLine => ({
  level: 'console.warn',
  ts,
  msg:
    strategy === 'greatest'
      ? `${count} events were emitted without a numeric id; dedupe "greatest" could not compare them`
      : `${count} events were emitted without an id; dedupe "${strategy}" could not compare them`,
});
