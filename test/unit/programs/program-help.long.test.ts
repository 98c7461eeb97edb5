import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test.each([
  'attacks/write-tables.ts',
  'bench/bench.ts',
  'chaos/chaos.ts',
  'compat/compat.ts',
  'costs/write-tables.ts',
  'recorded/record.ts',
  'recorded/record-release.ts',
])('%s --help only prints its use', async (path) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    `test/programs/${path}`,
    '--help',
  ]);
  expect(stdout).toMatch(/^Usage: npm run /);
  expect(stderr).toBe('');
});
