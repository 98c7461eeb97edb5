import type { Call, Output } from '../call.ts';
import type { WrittenEvent } from '../event-source-mapping/digest.ts';
import type { FunctionSpec } from './function-spec.ts';
import type { FunctionError } from './outcome.ts';
import type { LogLine } from './private-process.ts';

/** A function of the second thread, with everything that the thread needs to run it. */
export interface Resident {
  readonly spec: FunctionSpec;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** An error of a service in the form that crosses threads. */
export interface Refusal {
  readonly name: string;
  readonly message: string;
  readonly statusCode: number;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Instances have numbers. The thread makes an instance when it first gets its number. */
export type ToThread =
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly functionName: string;
      readonly instance: number;
      /** The event as JSON text, which is parsed faster than a structured clone is made. */
      readonly event: WrittenEvent;
      readonly requestId: string;
    }
  | { readonly kind: 'dispose'; readonly instance: number }
  /** The last message: the thread ends. */
  | { readonly kind: 'end' }
  | { readonly kind: 'response'; readonly id: number; readonly output: Output }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: Refusal };

export type FromThread =
  | { readonly kind: 'value'; readonly id: number; readonly json: string | undefined }
  | { readonly kind: 'failure'; readonly id: number; readonly error: FunctionError }
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  | {
      readonly kind: 'log';
      readonly functionName: string;
      readonly level: LogLine['level'];
      readonly text: string;
    };
