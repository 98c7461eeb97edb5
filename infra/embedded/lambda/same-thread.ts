import { Code, type Globals } from './code.ts';
import type { FunctionSpec } from './function-spec.ts';
import { LoadedInstance } from './instance.ts';
import type { InstanceLife } from './instance-life.ts';
import type { Instance, Runtime } from './runtime.ts';

interface SameThreadOptions {
  spec: FunctionSpec;
  /** Folder of the code asset. */
  folder: string;
  /** Makes the globals of a new instance. */
  open: () => OpenedInstance;
}

interface OpenedInstance {
  globals: Globals;
  /** Present if a fault may end the instance. */
  life?: InstanceLife | undefined;
}

/** Runs a function in the thread of its caller. */
export class SameThread implements Runtime {
  readonly #options: SameThreadOptions;
  #code: Code | undefined;

  constructor(options: SameThreadOptions) {
    this.#options = options;
  }

  get codeSha256(): string | undefined {
    return this.#code?.sha256;
  }

  instance(): Instance {
    const { spec, folder, open } = this.#options;
    this.#code ??= new Code(spec, folder);
    return new LoadedInstance(this.#code, { spec, ...open() });
  }
}
