import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compile } from './compiled-code.ts';
import type { FunctionSpec } from './function-spec.ts';
import { awslambda } from './response-stream.ts';

/** The globals of one instance. */
export interface Globals {
  readonly process: NodeJS.Process;
  readonly console: Console;
  readonly Date: DateConstructor;
}

export type Handler = (event: unknown, ...rest: unknown[]) => unknown;

type Wrapper = (...variables: unknown[]) => unknown;

/** The variables of a bundle: those of a CommonJS module, its own globals, and Lambda's. */
const VARIABLES = [
  'exports',
  'require',
  'module',
  '__filename',
  '__dirname',
  'process',
  'console',
  'Date',
  'awslambda',
];

/** The bundle of a function. It is compiled once, and runs once for each instance. */
export class Code {
  /** Hash of the text that runs. */
  readonly sha256: string;
  readonly #file: string;
  readonly #run: Wrapper;
  readonly #handlerName: string;

  constructor({ handler }: FunctionSpec, folder: string) {
    this.#file = codeFile(folder, handler.module);
    const source = readFileSync(this.#file);
    this.sha256 = createHash('sha256').update(source).digest('hex');
    this.#handlerName = handler.name;
    this.#run = compile({
      file: this.#file,
      source: source.toString(),
      sha256: this.sha256,
      names: VARIABLES,
    });
  }

  /** Runs the module for a new instance and returns its handler. */
  load({ process, console, Date }: Globals): Handler {
    const module: { exports: Record<string, unknown> } = { exports: {} };
    const required = createRequire(this.#file);
    const own = { process, 'node:process': process, console, 'node:console': console };
    const require = Object.assign(
      (name: string): unknown => (Object.hasOwn(own, name) ? own[name as keyof typeof own] : required(name)),
      required,
    );
    this.#run.call(
      module.exports,
      module.exports,
      require,
      module,
      this.#file,
      dirname(this.#file),
      process,
      console,
      Date,
      awslambda,
    );
    const handler = module.exports[this.#handlerName];
    if (typeof handler === 'function') return handler as Handler;
    const message = `${this.#file
      .split('/')
      .at(-1)
      ?.replace(/\.c?js$/, '')}.${this.#handlerName} is undefined or not exported`;
    throw Object.assign(new Error(message), { name: 'Runtime.HandlerNotFound' });
  }
}

/** Like Lambda's Node runtime, tries each ending of the file name. */
function codeFile(folder: string, module: string): string {
  const found = ['.js', '.cjs']
    .map((ending) => join(folder, module + ending))
    .find((file) => existsSync(file));
  if (found) return found;
  const message = `Error: Cannot find module '${module}'`;
  throw Object.assign(new Error(message), { name: 'Runtime.ImportModuleError' });
}
