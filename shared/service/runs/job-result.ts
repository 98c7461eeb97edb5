import { summarise } from '../../domain/event/truncation.ts';
import { type LogLine, MAX_LINES } from '../../domain/run/log-event.ts';
import type { RunError, RunnerLine } from '../../domain/run/run.ts';
import { LONGEST_CHECKED_EVENT } from '../../domain/run/runner-line.ts';
import type { Redactor } from '../../runtime/redaction/redactor.ts';

export interface EmitLine extends Extract<RunnerLine, { k: 'emit' }> {
  /** The event's {@link summarise | summary}, if it was made. */
  shortened?: string;
}
type LateLine = Extract<RunnerLine, { k: 'late' }>;
export type RespondLine = Extract<RunnerLine, { k: 'respond' }>;

export interface JobResult {
  /**
   * `lost`: started, but the runner ended before the job. `silent`: the runner ended without a line of the job, which
   * may have started. `unready`: the runner could not start it. `unstarted`: no time was left, or an earlier job of the
   * request did not end. `refused`: an account of the source is missing or has no valid token, so the job does not
   * start; `failure` says why.
   */
  state: 'ended' | 'lost' | 'silent' | 'unready' | 'unstarted' | 'refused';
  emits: EmitLine[];
  /** The first refused emits, then the job's failure. */
  errors: RunError[];
  /** Number of further refused emits. */
  errorsLeftOut?: number;
  logs: LogLine[];
  response?: RespondLine;
  /** Late work of earlier jobs of the source. */
  late?: LateLine[];
  /** The db after the job, when it changed; JSON text. */
  db?: string;
  /** Run time. */
  ms: number;
  /** Times of the first line and of the end, epoch ms. */
  startedAt?: number | undefined;
  endedAt?: number | undefined;
  /** The thrown error, or the reason why the job was ended. */
  failure?: RunError;
  /** Reason why the job did not start, for the operator's log. */
  unreadyReason?: string;
  /** Redacts the account's credentials, also earlier ones, in the trigger's event; absent without an account. */
  redactor?: Pick<Redactor, 'inJson'>;
}

/** More than `$errors` shows of one run. */
const MAX_REFUSED_EMITS = 20;

export function refused({ code, message }: Pick<RunError, 'code' | 'message'>): JobResult {
  const failure: RunError = { code, name: 'Error', message, stack: '' };
  return { state: 'refused', emits: [], errors: [failure], logs: [], ms: 0, failure };
}

/** With its times from the beginning: an object that gets members later is slow. */
export const unstarted = (): JobResult => ({
  state: 'unstarted',
  emits: [],
  errors: [],
  logs: [],
  ms: 0,
  startedAt: undefined,
  endedAt: undefined,
});

/** Jobs run one after the other: the first job without an end was running when the runner ended. */
export function markSilent(results: ReadonlyMap<string, JobResult>): void {
  const [first] = [...results.values()].filter(({ state }) => state !== 'ended');
  if (first?.state === 'unstarted') first.state = 'silent';
}

/** Every line but `unready` and `late` shows that the job started; a started job counts as lost until its end line. */
export function applyLine(result: JobResult, line: RunnerLine, now: () => number): void {
  if (line.k === 'unready') {
    result.state = 'unready';
    result.unreadyReason = line.message;
    return;
  }
  if (line.k === 'late') {
    (result.late ??= []).push(line);
    return;
  }
  if (result.state === 'unstarted') {
    result.state = 'lost';
    result.startedAt = now();
  }
  switch (line.k) {
    case 'emit':
      addEmit(result, line);
      return;
    case 'error':
      if (result.errors.length < MAX_REFUSED_EMITS) result.errors.push(line.error);
      else result.errorsLeftOut = (result.errorsLeftOut ?? 0) + 1;
      return;
    case 'log':
      result.logs.push(line);
      // Only the last lines are shown; a process that writes to its pipe itself may send many more.
      if (result.logs.length > 2 * MAX_LINES) result.logs.splice(0, result.logs.length - MAX_LINES);
      return;
    case 'db':
      result.db = line.json;
      return;
    case 'respond':
      result.response ??= line;
      return;
    case 'described':
    case 'props':
    case 'options':
      return;
    case 'end':
      result.state = 'ended';
      result.ms = line.ms;
      result.endedAt = now();
      result.startedAt = result.endedAt - Math.round(line.ms);
      if (line.error) {
        result.failure = line.error;
        result.errors.push(line.error);
      }
  }
}

/** A character has at most three bytes in UTF-8. */
const LONGEST_CHECKED = LONGEST_CHECKED_EVENT / 3;

/** Adds the event, unless it is a long text that is not JSON: a component can write to its pipe itself. */
function addEmit({ emits }: JobResult, line: Extract<RunnerLine, { k: 'emit' }>): void {
  if (line.json.length <= LONGEST_CHECKED) {
    emits.push(line);
    return;
  }
  try {
    emits.push({ ...line, shortened: summarise(line.json) });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
}

/** The failure of a job without an end line. */
export const CRASHED: RunError = {
  code: 'crashed',
  name: 'Error',
  message: 'The run was lost: its process ended without a result',
  stack: '',
};
