/** The outcome of an invocation. An invocation throws only if it did not reach the function. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: FunctionError };

/** Lambda's payload for a failed function. */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export function functionError(thrown: unknown): FunctionError {
  if (!(thrown instanceof Error)) return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  const { name, message, stack } = thrown;
  return { errorType: name, errorMessage: message, trace: stack?.split('\n') ?? [] };
}

export const timedOut = (requestId: string, timeoutMs: number): FunctionError => ({
  errorType: 'Sandbox.Timedout',
  errorMessage: `RequestId: ${requestId} Error: Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
});
