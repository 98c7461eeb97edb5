import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deployApp } from '../support/deploy-app.ts';

test('a stage that could never run a trigger is one sentence and exit code 1, and nothing is synthesised', () => {
  const { outdir, response } = deployApp({ stage: { limits: { runTimeoutMs: 300_000 } } });
  expect(response).toEqual({
    status: 1,
    stdout: '',
    stderr:
      "stage.limits.runTimeoutMs must be at most 240000 ms, so that a run ends within its function's time limit.\n",
  });
  expect(readdirSync(outdir)).toEqual([]);
});
