import { ServiceError } from '../domain/errors.ts';
import { parseFailure } from '../domain/parse-failure.ts';
import type { LogFields } from '../domain/run/log-fields.ts';

/** Writes one JSON line per unit of work. Callers log named fields only, never bodies or secrets. */
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LEVELS)[number];

export interface Log {
  info(message: string, fields?: LogFields | (() => LogFields)): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields & { error?: string }): void;
}

/**
 * Writes one line of the log. With the log format JSON, Lambda wraps a line of `console.log` into another object, in
 * which neither queries nor metrics find the fields.
 */
export function writeLogLine(fields: object): void {
  process.stdout.write(`${JSON.stringify(fields)}\n`);
}

export function createLog(lowest: LogLevel, functionName: string): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields | (() => LogFields) = {}): void => {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(lowest)) return;
      const own = typeof fields === 'function' ? fields() : fields;
      writeLogLine({ level, message, function: functionName, timestamp: new Date().toISOString(), ...own });
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** The stack of an error, for the log only. Not for errors whose text may quote a body. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? `${error.name}: ${error.message}`;
  // Its message is for callers, who learn no fields of stored items.
  const reason = error instanceof ServiceError && error.item !== undefined ? parseFailure(error) : undefined;
  return reason === undefined ? text : `${text}\n${reason}`;
}

/** The name of an error whose text may quote a body. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
