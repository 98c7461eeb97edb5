import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Runs the CDK app as `npx cdk deploy` does, by a user whose new files nobody else can read. */
export function deployApp(context: object, variables: Readonly<Record<string, string>> = {}) {
  const outdir = mkdtempSync(join(tmpdir(), 'tributary-deploy-'));
  onTestFinished(() => {
    rmSync(outdir, { recursive: true, force: true });
  });
  const program = ['-c', 'umask 077; exec "$0" --import tsx bin/deploy.ts', process.execPath];
  const env = { ...process.env, ...variables, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: outdir };
  const { status, stdout, stderr } = spawnSync('sh', program, { encoding: 'utf8', env });
  return { outdir, response: { status, stdout, stderr } };
}
