/** 1: the service refused, or an unknown name. 2: wrong use. 3: no response of a Tributary. */
export type FailureCode = 1 | 2 | 3;

/** The error object of `--json`: the API's own, or one of the same shape. */
export interface FailureReport {
  error: string;
  code: string;
  details?: readonly { path: string; message: string }[] | undefined;
  request_id?: string | undefined;
}

/** A command that ends with a sentence on stderr and an exit code. */
export class CommandFailure extends Error {
  readonly exitCode: FailureCode;
  readonly report: FailureReport;

  constructor(exitCode: FailureCode, report: FailureReport) {
    super(report.error);
    this.exitCode = exitCode;
    this.report = report;
  }
}

/** A command whose output says what is wrong. It ends with 1. */
export class ShownFailure extends Error {}

export const usageFailure = (error: string, code = 'usage') => new CommandFailure(2, { error, code });
export const unknownName = (error: string) => new CommandFailure(1, { error, code: 'not_found' });
export const refusedFailure = (error: string, code = 'failed') => new CommandFailure(1, { error, code });
export const unreachableFailure = (error: string, code = 'no_connection') => new CommandFailure(3, { error, code });

/** Undefined for what was deleted, and for what an earlier release lacks. */
export const unlessMissing = <T>(request: Promise<T>): Promise<T | undefined> =>
  request.catch((error: unknown) => {
    if (error instanceof CommandFailure && error.report.code === 'not_found') return undefined;
    throw error;
  });

const KEY_MENDS = [
  'Run tributary login, or set TRIBUTARY_API_KEY.',
  'The operator makes a new key by tributary admin users rotate-key --user u_…; tributary admin users list shows the ids.',
];

/** The sentence, the fields that it does not name, and a mend. */
export function failureText({ report }: CommandFailure): string {
  const { error, code, details = [] } = report;
  const more = details
    .filter(({ message }) => !error.includes(message))
    .map(({ path, message }) => {
      // Code, below the sentence that names its position.
      if (message.includes('\n')) return error.includes(path) ? message : `  ${path}:\n${message}`;
      return path === '' ? `  ${message}` : `  ${path}: ${message}`;
    });
  return [error, ...more, ...(code === 'unauthenticated' ? KEY_MENDS : [])].join('\n');
}
