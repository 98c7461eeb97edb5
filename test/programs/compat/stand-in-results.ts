import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Components that the end-to-end tests ran against a stand-in just now, by path below `components/`: whether it held.
 */
export async function standInResults(): Promise<Map<string, boolean>> {
  const folder = await mkdtemp(join(tmpdir(), 'compat-results-'));
  const output = join(folder, 'results.json');
  const tests = ['hooks', 'timers', 'apphook'].map((name) => `test/programs/compat/${name}.long.test.ts`);
  const reporting = ['--reporter=json', `--outputFile=${output}`];
  const project = ['--config', 'vitest.long.config.ts', '--project', 'stack'];
  await promisify(execFile)('npx', ['vitest', 'run', ...project, ...tests, ...reporting], {
    env: { ...process.env, COMPAT_SCENARIOS: 'all' },
  }).catch(() => undefined);
  const { testResults } = JSON.parse(await readFile(output, 'utf8')) as {
    testResults: { assertionResults: { fullName: string; status: string }[] }[];
  };
  await rm(folder, { recursive: true, force: true });
  const results = new Map<string, boolean>();
  for (const { fullName, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const [component] = /[\w-]+\/sources\/[\w./-]+\.js/.exec(fullName) ?? [];
    if (component !== undefined) results.set(component, (results.get(component) ?? true) && status === 'passed');
  }
  return results;
}
