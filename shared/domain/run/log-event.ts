import { cutToBytes } from '../../lib/cut.ts';
import type { RunError, RunnerLine } from './run.ts';

export type LogLine = Pick<Extract<RunnerLine, { k: 'log' }>, 'level' | 'ts' | 'msg' | 'err'>;

/** Limits per run; the last lines are kept. Sizes are in bytes of UTF-8, the event's as JSON. */
export const MAX_LINES = 100;
const LONGEST_MESSAGE = 4 * 1024;
const LONGEST_STACK = 16 * 1024;
const LARGEST_EVENT = 64 * 1024;

export const errorLine = ({ name, message, stack }: RunError, ts: number): LogLine => ({
  level: 'error',
  ts,
  msg: message,
  err: { name, message, stack },
});

/** The `$logs` event of one run, as JSON text; undefined when the run logged nothing. */
export function logEvent(runId: string, written: readonly LogLine[]): string | undefined {
  if (written.length === 0) return undefined;
  const start = `{"run_id":${JSON.stringify(runId)},"lines":[`;
  const lines: string[] = [];
  let bytes = Buffer.byteLength(start) + ']}'.length;
  for (const line of written.slice(-MAX_LINES).reverse()) {
    const text = JSON.stringify(shown(line));
    bytes += Buffer.byteLength(text) + ','.length;
    if (bytes > LARGEST_EVENT && lines.length > 0) break;
    lines.unshift(text);
  }
  return `${start}${lines.join(',')}]}`;
}

function shown({ level, ts, msg, err }: LogLine): object {
  const line = { k: level, ts, msg: cutToBytes(msg, LONGEST_MESSAGE) };
  if (!err) return line;
  const { name, message, stack } = err;
  return {
    ...line,
    err: { name, message: cutToBytes(message, LONGEST_MESSAGE), stack: cutToBytes(stack, LONGEST_STACK) },
  };
}
