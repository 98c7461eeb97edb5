import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('a stage that could never run a trigger is one sentence and exit code 1, and nothing is synthesised', () => {
  const context = { stage: { limits: { runTimeoutMs: 300_000 } } };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'bin/deploy.ts'], {
    encoding: 'utf8',
    env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr:
      "stage.limits.runTimeoutMs must be at most 240000 ms, so that a run ends within its function's time limit.\n",
  });
});
