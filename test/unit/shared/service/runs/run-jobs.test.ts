import { expect, test } from 'vitest';
import type { Runner } from '../../../../../shared/aws/runner.ts';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import type { RunnerLine } from '../../../../../shared/domain/run/run.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { createJobRunner } from '../../../../../shared/service/runs/run-jobs.ts';
import { withoutAccounts } from '../../../../support/without-accounts.ts';

const source = { id: SourceId.parse('dc_1'), ownerId: UserId.parse('u_1') } as Source;

/** The result of a run whose runner writes these lines. */
async function resultOf(...lines: RunnerLine[]) {
  const runner: Pick<Runner, 'run'> = {
    run: (_request, onLine) => {
      for (const line of lines) onLine(line);
      return Promise.resolve('complete');
    },
  };
  const runJobs = createJobRunner(
    {
      runner: { ...runner, describe: () => Promise.reject(new Error('not here')) },
      bucket: { presignGet: () => Promise.resolve('https://bucket') },
      ingressUrl: 'https://in',
      accounts: withoutAccounts,
      limits: { runTimeoutMs: 1_000, runMemoryMb: 256 },
    },
    () => 0,
  );
  const results = await runJobs({
    source,
    configuration: { configuredProps: {} } as Source['configuration'],
    traits: { hasRun: true, hooks: [], customResponse: false },
    db: '{}',
    jobs: [{ kind: 'run', id: 'a', event: '{}' }],
    startBefore: 1,
  });
  return results.get('a');
}

test('a long event that is not JSON is left out, because the runner does not parse long ones', async () => {
  const emit = (json: string): RunnerLine => ({ k: 'emit', job: 'a', json, meta: {} });
  // 65,538 bytes
  const shortest = '€'.repeat(21_846);
  const wrong = ['{'.repeat(100_000), shortest];
  const texts = ['{}', JSON.stringify({ text: 'x'.repeat(100_000) }), ...wrong, '[]'];
  const result = await resultOf(...texts.map(emit), { k: 'end', job: 'a', ms: 1 });
  expect(result?.emits.map(({ json }) => json)).toEqual(texts.filter((text) => !wrong.includes(text)));
  expect(result?.state).toBe('ended');
});

test('of a run that logs without end only the last lines are held', async () => {
  const log = (n: number): RunnerLine => ({
    k: 'log',
    job: 'a',
    level: 'console.log',
    ts: n,
    msg: `${n}`,
  });
  const lines = Array.from({ length: 5_000 }, (_, n) => log(n));
  const logs = (await resultOf(...lines, { k: 'end', job: 'a', ms: 1 }))?.logs ?? [];
  expect(logs.length).toBeLessThanOrEqual(200);
  expect(logs.slice(-100).map(({ msg }) => Number(msg))).toEqual(
    Array.from({ length: 100 }, (_, index) => 4_900 + index),
  );
});
