import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { functionEntries } from '../../infra/bundle.ts';

/** Runs the CDK app as `npx cdk deploy` does, by a user whose new files nobody else can read. */
function deploy(context: object) {
  const outdir = mkdtempSync(join(tmpdir(), 'tributary-deploy-'));
  onTestFinished(() => {
    rmSync(outdir, { recursive: true, force: true });
  });
  const program = ['-c', 'umask 077; exec "$0" --import tsx bin/deploy.ts', process.execPath];
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: outdir };
  const { status, stdout, stderr } = spawnSync('sh', program, { encoding: 'utf8', env });
  return { outdir, answer: { status, stdout, stderr } };
}

test('a stage that could never run a trigger is one sentence and exit code 1, and nothing is synthesised', () => {
  const { outdir, answer } = deploy({ stage: { limits: { runTimeoutMs: 300_000 } } });
  expect(answer).toEqual({
    status: 1,
    stdout: '',
    stderr:
      "stage.limits.runTimeoutMs must be at most 240000 ms, so that a run ends within its function's time limit.\n",
  });
  expect(readdirSync(outdir)).toEqual([]);
});

test('a stage is named by its file, and every user can read the bundles of its functions, as Lambda does', () => {
  const { outdir, answer } = deploy({ stage: 'dev' });
  expect(answer).toMatchObject({ status: 0, stdout: '' });
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
