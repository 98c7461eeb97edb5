import { fileURLToPath } from 'node:url';
import type { ComponentRun, RunComponentOptions } from './component-run.ts';
import { runComponentWith } from './run-component.ts';

export type { ComponentEmit, ComponentRun, RunComponentOptions } from './component-run.ts';
export type { HttpEvent, TimerEvent } from './component-events.ts';
export type { ComponentThis, EmitOptions, SourceDefinition } from './define-source.ts';
export { defineSource } from './define-source.ts';

/** Runs a component once, by the rules of the service: limits, redaction, build. For tests, with any test runner. */
export const runComponent = (file: string | URL, options?: RunComponentOptions): Promise<ComponentRun> =>
  runComponentWith(fileURLToPath(new URL('./assembly/functions/', import.meta.url)), file, options);
