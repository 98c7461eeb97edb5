import { cut } from '../../lib/cut.ts';
import type { ErrorDetail } from '../errors.ts';
import type { LoggedLine } from '../component/logged-line.ts';
import type { LogLine } from './log-event.ts';
import { innermostPosition } from './own-frame.ts';
import type { RunError } from './run.ts';

/** Limits of the log lines, which are stored with the source until its next revision. */
const MAX_LINES = 20;
const LONGEST_LINE = 1_000;

/** The last lines that the component logged itself, without the line of the thrown error. */
export const lastLines = (logs: readonly LogLine[]): LoggedLine[] =>
  logs
    .filter(({ err }) => err === undefined)
    .slice(-MAX_LINES)
    .map(({ level, msg }) => ({ level, msg: cut(msg, LONGEST_LINE) }));

/** The lines as error details; the path is the console method. */
export const detailsOf = (lines: readonly LoggedLine[]): ErrorDetail[] =>
  lines.map(({ level, msg }) => ({ path: level, message: msg }));

/** Name of errors of the runtime itself, which is left out of the text. */
const RUNTIME_ERROR = 'RuntimeError';

/**
 * `TypeError: x is not a function (component.mjs:12)`: the error, and the innermost line of the component's own files.
 */
export function wordingOf({ name, message, stack }: RunError): string {
  const isOurs = stack === '' || name === RUNTIME_ERROR;
  const text = isOurs ? message || name : `${name}: ${message}`;
  const position = innermostPosition(stack);
  return position === undefined ? text : `${text} (${position})`;
}
