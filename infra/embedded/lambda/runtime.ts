import type { Invocation } from './invocation.ts';
import type { Outcome } from './outcome.ts';

/** One loaded copy of a function's code. */
export interface Instance {
  /** Never rejects: an error of the function is an outcome. */
  run(invocation: Invocation, requestId: string): Promise<Outcome>;
  /** Notifies the function, as AWS does before it ends a machine. */
  dispose(): void;
}

/** Makes the instances of one function. */
export interface Runtime {
  /** Hash of the running code; undefined until it is loaded. */
  readonly codeSha256: string | undefined;
  /** An error in the code is thrown here, or is the outcome of the instance's first run. */
  instance(): Instance;
}
