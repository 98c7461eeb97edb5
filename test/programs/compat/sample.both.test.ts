import { afterAll, beforeAll, expect, test } from 'vitest';
import { assemblyWith } from '../../support/assembly-with.ts';
import { type TestCloud, startTestCloud } from '../../support/cloud.ts';
import { type FileServer, serveFiles } from '../../support/files-over-http.ts';
import { PIPEDREAM } from '../../support/pipedream.ts';
import { repetitions } from '../../support/repetitions.ts';
import { type Seen, seenByNode } from './plain-node.ts';
import { tryComponent } from './try-component.ts';
import { trustRegistry } from '../../support/registry-certificates.ts';

trustRegistry();

/** Does with a sample of components as `npm run compat` does with all. Another seed gives another sample. */
const SEED = Number(process.env['COMPAT_SEED'] ?? 20_261_120);
const SIZE = repetitions(4, 24);
const CONCURRENCY = 2;

let cloud: TestCloud;
let files: FileServer;
beforeAll(async () => {
  files = await serveFiles(PIPEDREAM);
  // Port 1 refuses connections, so no request reaches a real upstream.
  cloud = await startTestCloud({
    hasOwnBuilder: true,
    assembly: assemblyWith({ runnerHosts: { '*': '127.0.0.1:1' } }),
  });
});
afterAll(async () => {
  await cloud.stop();
  await files.stop();
});

/** The sample that a seed stands for: a linear congruential generator is random enough to choose by. */
function sampleOf(all: readonly Seen[], seed: number): Seen[] {
  const left = [...all];
  let state = seed >>> 0;
  return Array.from({ length: Math.min(SIZE, left.length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const [chosen] = left.splice(Math.floor((state / 2 ** 32) * left.length), 1);
    if (!chosen) throw new Error('The sample is larger than what it is taken of.');
    return chosen;
  });
}

test(`${SIZE} of the 243 sources of the package are created and described as plain Node sees them (seed ${SEED})`, async () => {
  const all = await seenByNode();
  expect(all).toHaveLength(243);
  const left = sampleOf(all, SEED);
  const failed: string[] = [];
  const work = async () => {
    for (let seen = left.shift(); seen; seen = left.shift()) {
      const row = await tryComponent(cloud, files.origin, seen);
      if (!row.created || !row.described) failed.push(`${seen.path}: ${row.reason}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  expect(failed).toEqual([]);
});
