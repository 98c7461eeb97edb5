import type { ChainTracker } from './chain.ts';
import { Code, type Globals } from './code.ts';
import type { FunctionSpec } from './function-spec.ts';
import { LoadedInstance } from './instance.ts';
import type { Invocation } from './invocation.ts';
import type { Outcome } from './outcome.ts';

/** One loaded copy of a function's code. */
export interface Instance {
  /** Never rejects: what a function throws is an outcome. */
  run(invocation: Invocation, requestId: string): Promise<Outcome>;
  /** As a function is told that its machine goes away. */
  dispose(): void;
}

/** Where the instances of one function come from. */
export interface Runtime {
  /** Of the code that is running; undefined until it is loaded. */
  readonly codeSha256: string | undefined;
  /** What is wrong with the code is thrown here, or is the outcome of the instance's first run. */
  instance(): Instance;
}

interface Given {
  spec: FunctionSpec;
  /** Where the asset with its code lies. */
  folder: string;
  chains: ChainTracker;
  /** Made anew for each instance. */
  globals: () => Globals;
}

/** Runs a function in the thread of its caller. */
export class SameThread implements Runtime {
  private readonly given: Given;
  private code: Code | undefined;

  constructor(given: Given) {
    this.given = given;
  }

  get codeSha256(): string | undefined {
    return this.code?.sha256;
  }

  instance(): Instance {
    const { spec, folder, chains, globals } = this.given;
    this.code ??= new Code(spec, folder);
    return new LoadedInstance(this.code, { spec, chains, globals: globals() });
  }
}
