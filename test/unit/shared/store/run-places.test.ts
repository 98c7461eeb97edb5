import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runPlaceStore } from '../../../../shared/store/run-places.ts';
import { type Harness, harness } from '../../../support/runs-harness.ts';

let stage: Harness;
beforeEach(async () => {
  stage = await harness();
});
afterEach(() => stage.close());

const now = Date.UTC(2031, 1, 28);
const placesOf = (random = (bytes: number): Uint8Array => randomBytes(bytes)) =>
  runPlaceStore(stage.table, random);

test('of many that want a place at the same moment, exactly as many as there are places get one', async () => {
  const places = placesOf();
  const taken = await Promise.all(
    Array.from({ length: 30 }, () => places.take(stage.ownerId, { limit: 7, now })),
  );
  expect(taken.filter((place) => place !== undefined)).toHaveLength(7);
});

test('a place that is given back is free for the next', async () => {
  const places = placesOf();
  const place = await places.take(stage.ownerId, { limit: 1, now });
  expect(await places.take(stage.ownerId, { limit: 1, now })).toBeUndefined();
  await places.release(stage.ownerId, place ?? expect.fail('no place'));
  expect(await places.take(stage.ownerId, { limit: 1, now })).toBeDefined();
});

test('the place of an invocation that died is free after the time that an invocation can last', async () => {
  const places = placesOf();
  await places.take(stage.ownerId, { limit: 1, now });
  expect(await places.take(stage.ownerId, { limit: 1, now: now + 300_000 })).toBeUndefined();
  expect(await places.take(stage.ownerId, { limit: 1, now: now + 320_000 })).toBeDefined();
});

test('a write that the SDK repeats takes one place', async () => {
  const places = placesOf(() => Uint8Array.of(1, 2, 3, 4, 5, 6));
  const first = await places.take(stage.ownerId, { limit: 1, now });
  expect(await places.take(stage.ownerId, { limit: 1, now })).toBe(first);
});

test('a place costs one write unit to take and one to give back, also when 20 are taken', async () => {
  const places = placesOf();
  for (let n = 0; n < 19; n += 1) await places.take(stage.ownerId, { limit: 20, now });
  const before = stage.units.write;
  const place = await places.take(stage.ownerId, { limit: 20, now });
  await places.release(stage.ownerId, place ?? expect.fail('no place'));
  expect(stage.units.write - before).toBe(2);
});
