import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { Stage } from '../../infra/stage.ts';
import { synthesise } from '../../infra/synthesise.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the assembly that every test cloud runs, and of what tests tell the last ones. */
    assembly: string;
    faults: 'none' | 'injected';
  }
}

/** One machine has no account limit. */
const OWN_MACHINE = {
  concurrency: { runs: 100, deliveries: 100, retries: 100, timers: 10 },
  throttle: { rate: 100_000, burst: 100_000 },
};

/** Bundles and synthesises the stack once for the whole run. */
export default async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-tests-'));
  process.env['CDK_VALIDATION'] = 'false';
  const stage = Stage.parse({
    ...OWN_MACHINE,
    allowPrivateNetwork: true,
    logLevel: 'error',
    ...(process.env['npm_config_registry'] ? { npmRegistry: process.env['npm_config_registry'] } : {}),
  });
  const { template, assets } = await synthesise(stage, directory);
  writeFileSync(join(directory, 'template.json'), JSON.stringify(template));
  writeFileSync(join(directory, 'assets.json'), JSON.stringify([...assets]));
  mkdirSync(join(directory, 'calls'));
  mkdirSync(join(directory, 'faults'));
  project.provide('assembly', directory);
  return () => {
    rmSync(directory, { recursive: true, force: true });
  };
}
