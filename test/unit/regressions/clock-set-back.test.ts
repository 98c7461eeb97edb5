import { expect, test } from 'vitest';
import { createJobRunner } from '../../../shared/service/runs/run-jobs.ts';
import { defaultUserLimits } from '../../../shared/domain/limits.ts';
import { ComponentId, newId, SourceId, UserId } from '../../../shared/domain/id.ts';
import type { RunnerRequest } from '../../../shared/domain/run/run.ts';
import type { Source } from '../../../shared/domain/source/source.ts';
import { withoutAccounts } from '../../support/without-accounts.ts';

const HOUR = 3_600_000;
const id = (kind: 'user' | 'source' | 'component') => newId(kind, 0, (bytes) => Buffer.alloc(bytes));

/**
 * A bundle's address that was signed before is not valid yet then: a runner that needed it lost the run as `crashed`.
 */
test('no address that was signed later than now is handed to the runner, after the clock was set back', async () => {
  let now = 10 * HOUR;
  const requests: RunnerRequest[] = [];
  const run = createJobRunner(
    {
      runner: {
        run(request) {
          requests.push(request);
          return Promise.resolve('complete');
        },
        describe: () => Promise.reject(new Error('not here')),
      },
      bucket: { presignGet: () => Promise.resolve(`signed at ${now}`) },
      ingressUrl: 'https://in.example',
      accounts: withoutAccounts,
      limits: defaultUserLimits,
    },
    () => now,
  );
  const source: Source = {
    id: SourceId.parse(id('source')),
    ownerId: UserId.parse(id('user')),
    state: 'active',
    generation: 1,
    configuration: {
      componentId: ComponentId.parse(id('component')),
      bundleHash: 'b'.repeat(64),
      configuredProps: {},
      name: 'name',
      nameSlug: 'name',
      active: true,
      endpoint: 'path',
      tags: [],
    },
    traits: { hasRun: true, hooks: [], customResponse: false },
    createdAt: 0,
    updatedAt: 0,
  };
  const signedAt = async () => {
    const { configuration, traits } = source;
    await run({ source, configuration, traits, db: '{}', jobs: [], startBefore: Infinity });
    return requests.at(-1)?.bundle.url;
  };
  expect(await signedAt()).toBe(`signed at ${10 * HOUR}`);
  now += 30_000;
  expect(await signedAt()).toBe(`signed at ${10 * HOUR}`);
  now -= HOUR;
  expect(await signedAt()).toBe(`signed at ${9 * HOUR + 30_000}`);
});
