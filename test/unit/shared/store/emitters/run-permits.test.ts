import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runPermitStore } from '../../../../../shared/store/emitters/run-permits.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

const now = Date.UTC(2031, 1, 28);
const permitsOf = (random = (bytes: number): Uint8Array => randomBytes(bytes)) => runPermitStore(stage.table, random);

test('concurrent callers get exactly as many permits as there are', async () => {
  const permits = permitsOf();
  const taken = await Promise.all(Array.from({ length: 30 }, () => permits.take(stage.ownerId, { limit: 7, now })));
  expect(taken.filter((permit) => permit !== undefined)).toHaveLength(7);
});

test('a place that is given back is free for the next', async () => {
  const permits = permitsOf();
  const permit = await permits.take(stage.ownerId, { limit: 1, now });
  expect(await permits.take(stage.ownerId, { limit: 1, now })).toBeUndefined();
  await permits.release(stage.ownerId, permit ?? expect.fail('no place'));
  expect(await permits.take(stage.ownerId, { limit: 1, now })).toBeDefined();
});

test('the place of an invocation that died is free after the time that an invocation can last', async () => {
  const permits = permitsOf();
  await permits.take(stage.ownerId, { limit: 1, now });
  expect(await permits.take(stage.ownerId, { limit: 1, now: now + 300_000 })).toBeUndefined();
  expect(await permits.take(stage.ownerId, { limit: 1, now: now + 320_000 })).toBeDefined();
});

test('a write that the SDK repeats takes one place', async () => {
  const permits = permitsOf(() => Uint8Array.of(1, 2, 3, 4, 5, 6));
  const first = await permits.take(stage.ownerId, { limit: 1, now });
  expect(await permits.take(stage.ownerId, { limit: 1, now })).toBe(first);
});

test('a place costs one write unit to take and one to give back, also when 20 are taken', async () => {
  const permits = permitsOf();
  for (let n = 0; n < 19; n += 1) await permits.take(stage.ownerId, { limit: 20, now });
  const before = stage.units.write;
  const permit = await permits.take(stage.ownerId, { limit: 20, now });
  await permits.release(stage.ownerId, permit ?? expect.fail('no place'));
  expect(stage.units.write - before).toBe(2);
});

describe('permits that sources share', () => {
  const asking = (party: string, isOnly = false) => ({ party, isOnlyParty: () => Promise.resolve(isOnly) });
  const taken = async (party: string, count: number, { isOnly = false, at = now } = {}) => {
    const permits = permitsOf();
    const got: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const permit = await permits.take(stage.ownerId, { limit: 20, share: asking(party, isOnly), now: at });
      if (permit !== undefined) got.push(permit);
    }
    return got;
  };

  test('a source with many synchronous runs leaves a quarter to the others', async () => {
    expect(await taken('dc_slow000001', 30)).toHaveLength(15);
    expect(await taken('dc_other00002', 30)).toHaveLength(5);
    expect(await taken('dc_third00003', 1)).toHaveLength(0);
  });

  test('the only source of a user has all of them', async () => {
    expect(await taken('dc_slow000001', 30, { isOnly: true })).toHaveLength(20);
  });

  test('a permit that is given back, or void, is free for the source again', async () => {
    const [first = expect.fail('no permit')] = await taken('dc_slow000001', 15);
    await permitsOf().release(stage.ownerId, first);
    expect(await taken('dc_slow000001', 5)).toHaveLength(1);
    expect(await taken('dc_slow000001', 30, { at: now + 320_000 })).toHaveLength(15);
  });
});
