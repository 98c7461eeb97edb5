import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { functionEntries } from '../../infra/bundle.ts';
import { deployApp } from '../support/deploy-app.ts';

const COMPILER = join('node_modules', '@esbuild', 'linux-arm64', 'bin', 'esbuild');

test('a synthesis that the operator allows makes a template that adopts data deployable', () => {
  const adopt = { table: 'the-table', bucket: 'the-bucket', keyArn: 'arn:aws:kms:us-east-1:111122223333:key/1' };
  const { outdir } = deployApp({ stage: { adopt }, adopt: 'unchecked' });
  expect(JSON.parse(readFileSync(join(outdir, 'Tributary.template.json'), 'utf8'))).toMatchObject({
    Parameters: { OwnDataIsKept: { Default: 'yes' } },
  });
});

test('a stage is named by its file, and every user can read the bundles of its functions, as Lambda does', () => {
  const { outdir, response } = deployApp({ stage: 'dev' });
  expect(response).toMatchObject({ status: 0, stdout: '' });
  expect(readdirSync(outdir)).toContain('TributaryDev.template.json');
  const bundles = readdirSync(outdir)
    .filter((name) => name.startsWith('asset.'))
    .map((name) => join(outdir, name));
  expect(bundles).toHaveLength(Object.keys(functionEntries).length);
  for (const bundle of bundles) {
    expect(statSync(bundle).mode & 0o777).toBe(0o755);
    expect(statSync(join(bundle, 'index.js')).mode & 0o777).toBe(0o644);
  }
  const compilers = bundles.map((bundle) => join(bundle, COMPILER)).filter((file) => existsSync(file));
  expect(compilers).toHaveLength(1);
  for (const compiler of compilers) expect(readFileSync(compiler).subarray(0, 4).toString('latin1')).toBe('\x7fELF');
});
