/** One line of JSON per unit of work. No bodies, no secrets: what may be logged is named field by field. */
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LEVELS)[number];
type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields & { error?: string }): void;
}

export function createLog(least: LogLevel, functionName: string): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return;
      console.log(
        JSON.stringify({ level, message, function: functionName, at: new Date().toISOString(), ...fields }),
      );
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** For the log alone: a bug's name and where it happened. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
