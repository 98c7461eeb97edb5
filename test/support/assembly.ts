import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readSettings } from '../../bin/settings.ts';
import { cachedAssembly } from './assembly-cache.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the assembly that every test cloud runs: the one of a service with the default settings. */
    assembly: string;
    /** Folder of the records that test clouds leave for the tests about the whole run. */
    records: string;
    faults: 'none' | 'injected';
  }
}

/** Prepares what tests with a stack share; projects of one run have the same folder of records. */
export default async function setup(project: TestProject): Promise<() => void> {
  const records = join(tmpdir(), `tributary-tests-${process.pid}`);
  for (const name of ['calls', 'faults']) mkdirSync(join(records, name), { recursive: true });
  project.provide('records', records);
  const { npm_config_registry: registry } = process.env;
  project.provide('assembly', await cachedAssembly(readSettings({ npm_config_registry: registry }).stage));
  return () => {
    rmSync(records, { recursive: true, force: true });
  };
}
