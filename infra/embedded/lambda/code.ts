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

interface Module {
  exports: Record<string, unknown>;
}

/**
 * The bundle of a function, and files beside it that it loads later. Each is compiled once, and runs once for each
 * instance.
 */
export class Code {
  /** Hash of the text that runs. */
  readonly sha256: string;
  readonly #file: string;
  readonly #compiled = new Map<string, Wrapper>();
  readonly #handlerName: string;

  constructor({ handler }: Pick<FunctionSpec, 'handler'>, folder: string) {
    this.#file = codeFile(folder, handler.module);
    this.#handlerName = handler.name;
    this.sha256 = this.#compile(this.#file);
  }

  /** Runs the module for a new instance and returns its handler. */
  load(globals: Globals): Handler {
    const { exports } = this.#run(this.#file, globals, new Map());
    const handler = exports[this.#handlerName];
    if (typeof handler === 'function') return handler as Handler;
    const message = `${this.#file
      .split('/')
      .at(-1)
      ?.replace(/\.c?js$/, '')}.${this.#handlerName} is undefined or not exported`;
    throw Object.assign(new Error(message), { name: 'Runtime.HandlerNotFound' });
  }

  /** Returns the hash of the file. */
  #compile(file: string): string {
    const source = readFileSync(file);
    const sha256 = createHash('sha256').update(source).digest('hex');
    this.#compiled.set(file, compile({ file, source: source.toString(), sha256, names: VARIABLES }));
    return sha256;
  }

  /** Runs a file, once for each instance. A file beside it sees the same globals. */
  #run(file: string, globals: Globals, loaded: Map<string, Module>): Module {
    const before = loaded.get(file);
    if (before) return before;
    if (!this.#compiled.has(file)) this.#compile(file);
    const { process, console, Date } = globals;
    const module: Module = { exports: {} };
    const required = createRequire(file);
    const own = { process, 'node:process': process, console, 'node:console': console };
    const find = (name: string): unknown => {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own];
      return name.startsWith('./') ? this.#run(required.resolve(name), globals, loaded).exports : required(name);
    };
    const require = Object.assign(find, required);
    const variables = [require, module, file, dirname(file), process, console, Date, awslambda];
    this.#compiled.get(file)?.call(module.exports, module.exports, ...variables);
    loaded.set(file, module);
    return module;
  }
}

/** Like Lambda's Node runtime, tries each ending of the file name. */
function codeFile(folder: string, module: string): string {
  const found = ['.js', '.cjs'].map((ending) => join(folder, module + ending)).find((file) => existsSync(file));
  if (found) return found;
  const message = `Error: Cannot find module '${module}'`;
  throw Object.assign(new Error(message), { name: 'Runtime.ImportModuleError' });
}
