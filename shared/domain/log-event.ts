import type { RunError, RunnerLine } from './run.ts';

export type LogLine = Pick<Extract<RunnerLine, { k: 'log' }>, 'level' | 'ts' | 'msg' | 'err'>;

/** Of one run: the last lines count (decisions, "Events"). */
const MOST_LINES = 100;
const LONGEST_MESSAGE = 4 * 1024;
const MOST_CHARACTERS = 64 * 1024;

/** A thrown error is a line too. */
export const errorLine = ({ name, message, stack }: RunError, ts: number): LogLine => ({
  level: 'error',
  ts,
  msg: message,
  err: { name, message, stack },
});

const lengthOf = (line: LogLine) =>
  line.msg.length + (line.err ? line.err.stack.length + line.err.message.length : 0);

/** The event of a source's `$logs` stream for one run, as JSON text; undefined when the run wrote nothing. */
export function logEvent(runId: string, written: readonly LogLine[]): string | undefined {
  if (written.length === 0) return undefined;
  const lines: LogLine[] = [];
  let characters = 0;
  for (const line of written.slice(-MOST_LINES).reverse()) {
    const kept = { ...line, msg: line.msg.slice(0, LONGEST_MESSAGE) };
    characters += lengthOf(kept);
    if (characters > MOST_CHARACTERS && lines.length > 0) break;
    lines.unshift(kept);
  }
  return JSON.stringify({
    run_id: runId,
    lines: lines.map(({ level, ts, msg, err }) => ({ k: level, ts, msg, ...(err ? { err } : {}) })),
  });
}
