import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stage } from '../../../infra/stage.ts';
import { synthesise } from '../../../infra/synthesise.ts';
import { loadBundles } from '../../support/load-bundles.ts';

const ROUNDS = 7;

/**
 * How long each function's bundle takes to load. The least of several rounds, and the processor's share, since others
 * use this machine too.
 */
export async function loadTimes(): Promise<Record<string, unknown>[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  try {
    const assembly = await synthesise(Stage.parse({}), directory);
    const rounds = Array.from({ length: ROUNDS }, () => loadBundles(assembly));
    return (rounds[0] ?? []).map(({ name, file }) => {
      const loads = rounds.flat().filter((load) => load.name === name);
      return {
        function: name,
        kilobytes: Math.round(statSync(file).size / 1_000),
        loadMs: Math.round(Math.min(...loads.map(({ loadMs }) => loadMs))),
        processorMs: Math.round(Math.min(...loads.map(({ processorMs }) => processorMs))),
      };
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
