import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { functionEntries } from '../../infra/bundle.ts';
import { deployApp } from '../support/deploy-app.ts';

test('a stage is named by its file, and every user can read the bundles of its functions, as Lambda does', () => {
  const { outdir, response } = deployApp({ stage: 'dev' });
  expect(response).toMatchObject({ status: 0, stdout: '' });
  expect(readdirSync(outdir)).toContain('TributaryDev.template.json');
  const modes = Object.keys(functionEntries).map((name) => [
    name,
    statSync(join('.build', 'deploy', name, 'index.js')).mode & 0o777,
  ]);
  expect(modes).toEqual(Object.keys(functionEntries).map((name) => [name, 0o644]));
  const compiler = readFileSync(
    join('.build', 'deploy', 'builder', 'node_modules', '@esbuild', 'linux-arm64', 'bin', 'esbuild'),
  );
  expect(compiler.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
});
