import type { RunError, RunnerLine } from './run.ts';

export type LogLine = Pick<Extract<RunnerLine, { k: 'log' }>, 'level' | 'ts' | 'msg' | 'err'>;

/** Of one run: the last lines count (decisions, "Events"). Sizes are bytes of UTF-8, the whole event's of its JSON. */
const MOST_LINES = 100;
const LONGEST_MESSAGE = 4 * 1024;
const LONGEST_STACK = 16 * 1024;
const LARGEST_EVENT = 64 * 1024;

/** A thrown error is a line too. */
export const errorLine = ({ name, message, stack }: RunError, ts: number): LogLine => ({
  level: 'error',
  ts,
  msg: message,
  err: { name, message, stack },
});

/** The event of a source's `$logs` stream for one run, as JSON text; undefined when the run wrote nothing. */
export function logEvent(runId: string, written: readonly LogLine[]): string | undefined {
  if (written.length === 0) return undefined;
  const start = `{"run_id":${JSON.stringify(runId)},"lines":[`;
  const lines: string[] = [];
  let bytes = Buffer.byteLength(start) + ']}'.length;
  for (const line of written.slice(-MOST_LINES).reverse()) {
    const text = JSON.stringify(shown(line));
    bytes += Buffer.byteLength(text) + ','.length;
    if (bytes > LARGEST_EVENT && lines.length > 0) break;
    lines.unshift(text);
  }
  return `${start}${lines.join(',')}]}`;
}

function shown({ level, ts, msg, err }: LogLine): object {
  const line = { k: level, ts, msg: cutTo(LONGEST_MESSAGE, msg) };
  if (!err) return line;
  const { name, message, stack } = err;
  return {
    ...line,
    err: { name, message: cutTo(LONGEST_MESSAGE, message), stack: cutTo(LONGEST_STACK, stack) },
  };
}

/** The beginning that has so many bytes, without half a character at its end. */
function cutTo(bytes: number, text: string): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const beginning = Buffer.from(text).subarray(0, bytes);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(beginning, { stream: true });
}
