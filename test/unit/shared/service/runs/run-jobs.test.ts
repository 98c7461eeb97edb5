import { expect, test } from 'vitest';
import type { Runner } from '../../../../../shared/aws/runner.ts';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { createJobRunner } from '../../../../../shared/service/runs/run-jobs.ts';
import { withoutAccounts } from '../../../../support/without-accounts.ts';

const source = { id: SourceId.parse('dc_1'), ownerId: UserId.parse('u_1') } as Source;

test('of a run that logs without end only the last lines are held', async () => {
  const runner: Pick<Runner, 'run'> = {
    run: (_request, onLine) => {
      for (let n = 0; n < 5_000; n += 1)
        onLine({ k: 'log', job: 'a', level: 'console.log', ts: n, msg: `${n}` });
      onLine({ k: 'end', job: 'a', ms: 1 });
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
  const logs = results.get('a')?.logs ?? [];
  expect(logs.length).toBeLessThanOrEqual(200);
  expect(logs.slice(-100).map(({ msg }) => Number(msg))).toEqual(
    Array.from({ length: 100 }, (_, index) => 4_900 + index),
  );
});
