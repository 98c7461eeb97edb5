import type { Call, Output } from '../call.ts';
import type { Chain } from './chain.ts';
import type { FunctionSpec } from './function-spec.ts';
import type { FunctionError } from './outcome.ts';
import type { LogLine } from './private-process.ts';

/** A function that runs in a thread of its own, with all that it finds there. */
export interface Resident {
  readonly spec: FunctionSpec;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** See {@link ChainTracker}. */
  readonly isPowerless: boolean;
}

/** An error of a service as it crosses threads. */
export interface Refusal {
  readonly name: string;
  readonly message: string;
  readonly statusCode: number;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Instances have numbers; whichever the thread does not know it makes. */
export type ToThread =
  | { readonly kind: 'load'; readonly functionName: string; readonly instance: number }
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly functionName: string;
      readonly instance: number;
      /** The event as JSON: read faster than a clone is made. */
      readonly event: string;
      readonly chain: Chain | undefined;
      readonly requestId: string;
    }
  | { readonly kind: 'dispose'; readonly instance: number }
  /** Nothing follows: the thread ends. */
  | { readonly kind: 'end' }
  | { readonly kind: 'answer'; readonly id: number; readonly output: Output }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: Refusal };

export type FromThread =
  | { readonly kind: 'loaded'; readonly functionName: string; readonly sha256: string }
  | { readonly kind: 'value'; readonly id: number; readonly json: string | undefined }
  | { readonly kind: 'failure'; readonly id: number; readonly error: FunctionError }
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  | {
      readonly kind: 'log';
      readonly functionName: string;
      readonly level: LogLine['level'];
      readonly text: string;
    };
