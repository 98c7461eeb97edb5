import { afterEach, beforeEach, expect, test } from 'vitest';
import { sourceStore } from '../../../../shared/store/emitters/sources.ts';
import { repeatingTable } from '../../../support/repeating-table.ts';
import { type World, openWorld } from '../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

/** Otherwise the update would wait for its own revision, whose message it has not sent. */
test('a change that the SDK repeats is made, and not refused as the change of another', async () => {
  const source = await stage.source();
  const { configuration, traits } = source;
  const pending = { revision: 1, since: 0, triggerId: 't', configuration, traits, hooks: [] };
  const change = { configuration, pending, updatedAt: source.updatedAt + 1 };
  expect(await sourceStore(repeatingTable(stage.table)).change(source, change)).toEqual(configuration);
  expect(await sourceStore(stage.table).change(source, change)).toBeUndefined();
});
