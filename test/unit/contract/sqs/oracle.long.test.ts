import { join } from 'node:path';
import { describe } from 'vitest';
import { withPackages } from '../../../../infra/packages/installed-packages.ts';
import { cacheFolder } from '../../../support/cache-folder.ts';
import { oracleDifferences } from './oracle-differences.ts';
import { standardQueueContract } from './standard-queue-contract.ts';
import { type QueueServer, targetOf } from './targets.ts';
import { trustRegistry } from '../../../support/registry-certificates.ts';

trustRegistry();

/** fauxqs 1.9.2 declares Node 22 and later; this test shows that it also runs on 20. */
async function oracle() {
  const folder = await withPackages(join(import.meta.dirname, 'oracle'), cacheFolder('installed'));
  const { startFauxqs } = (await import(/* @vite-ignore */ join(folder, 'index.mjs'))) as {
    startFauxqs: (options: { port: number; logger: boolean }) => Promise<QueueServer>;
  };
  return targetOf(await startFauxqs({ port: 0, logger: false }));
}

describe('standard queue, as the independent oracle fauxqs answers', () => {
  standardQueueContract({
    open: oracle,
    differences: new Set(oracleDifferences.map(({ promise }) => promise)),
  });
});
