import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareAssembly } from '../../support/share-assembly.ts';
import { DEADLINE_MS } from '../../support/until.ts';
import { play } from './play.ts';
import { HonestUser } from './user.ts';
import { works } from './works.ts';

/** Ordinary heavy work meets no limit. `npm run bench -- honest` does more of it. */

let user: HonestUser;
beforeAll(async () => {
  user = await HonestUser.start(shareAssembly);
});
afterAll(() => user.stop());

test('all kinds of ordinary heavy work at once, with a stop and a kill in the middle: nothing is refused, skipped or lost', async () => {
  const all = works('test');
  const outcomes = await play(user, all, {
    meanwhile: async () => {
      await user.restart('SIGTERM');
      await user.restart('SIGKILL');
    },
    withinMs: 2 * DEADLINE_MS,
  });
  expect(outcomes).toEqual(all.map(({ name }) => ({ work: name, missing: '', errors: '' })));
  expect([...user.refused]).toEqual([]);
});
