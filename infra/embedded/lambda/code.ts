import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import vm from 'node:vm';
import type { FunctionSpec } from './function-spec.ts';
import { awslambda } from './response-stream.ts';

/** The globals that an instance has for itself. */
export interface Globals {
  readonly process: NodeJS.Process;
  readonly console: Console;
  readonly Date: DateConstructor;
}

export type Handler = (event: unknown, ...rest: unknown[]) => unknown;

type Wrapper = (...given: unknown[]) => void;

/** The bundle of a function: compiled once, run once for each instance. */
export class Code {
  /** Of the very text that runs. */
  readonly sha256: string;
  private readonly file: string;
  private readonly run: Wrapper;
  private readonly handlerName: string;

  constructor({ handler }: FunctionSpec, folder: string) {
    this.file = codeFile(folder, handler.module);
    const source = readFileSync(this.file);
    this.sha256 = createHash('sha256').update(source).digest('hex');
    this.handlerName = handler.name;
    const names = [
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
    this.run = vm.compileFunction(source.toString(), names, {
      filename: this.file,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    }) as Wrapper;
  }

  /** Runs the module for a new instance and gives its handler. */
  load({ process, console, Date }: Globals): Handler {
    const module: { exports: Record<string, unknown> } = { exports: {} };
    const required = createRequire(this.file);
    const own = { process, 'node:process': process, console, 'node:console': console };
    const require = Object.assign(
      (name: string): unknown => (Object.hasOwn(own, name) ? own[name as keyof typeof own] : required(name)),
      required,
    );
    this.run.call(
      module.exports,
      module.exports,
      require,
      module,
      this.file,
      dirname(this.file),
      process,
      console,
      Date,
      awslambda,
    );
    const handler = module.exports[this.handlerName];
    if (typeof handler === 'function') return handler as Handler;
    const message = `${this.file
      .split('/')
      .at(-1)
      ?.replace(/\.c?js$/, '')}.${this.handlerName} is undefined or not exported`;
    throw Object.assign(new Error(message), { name: 'Runtime.HandlerNotFound' });
  }
}

/** Lambda's Node runtime looks for the file with each of its endings. */
function codeFile(folder: string, module: string): string {
  const found = ['.js', '.cjs']
    .map((ending) => join(folder, module + ending))
    .find((file) => existsSync(file));
  if (found) return found;
  const message = `Error: Cannot find module '${module}'`;
  throw Object.assign(new Error(message), { name: 'Runtime.ImportModuleError' });
}
