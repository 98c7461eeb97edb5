import { expect, test } from 'vitest';
import { UserId } from '../../../../../shared/domain/id.ts';
import { createStorage, FULL_RECOUNT_MS } from '../../../../../shared/service/admission/storage.ts';

const one = UserId.parse('u_1');
const other = UserId.parse('u_2');

function opened(bytes: Record<string, number>) {
  const world = { now: 1_000_000, counts: 0, isBroken: false };
  const storage = createStorage({
    storedBytes: (ownerId) => {
      world.counts += 1;
      return world.isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(bytes[ownerId] ?? 0);
    },
    limit: 100,
    now: () => world.now,
  });
  return { world, bytes, storage };
}

test('a user is full at the limit, and another user is not', async () => {
  const { storage } = opened({ [one]: 100, [other]: 99 });
  expect(await storage.isFull(one)).toBe(true);
  expect(await storage.isFull(other)).toBe(false);
});

test('a process knows at once what it stores itself, without a further count', async () => {
  const { storage, world } = opened({ [one]: 50 });
  expect(await storage.isFull(one)).toBe(false);
  storage.add(one, 49);
  expect(await storage.isFull(one)).toBe(false);
  storage.add(one, 1);
  expect(await storage.isFull(one)).toBe(true);
  storage.add(one, -1);
  expect(await storage.isFull(one)).toBe(false);
  expect(world.counts).toBe(1);
});

test('what others store is known within a minute, and concurrent callers share one count', async () => {
  const { storage, world, bytes } = opened({});
  expect(await storage.isFull(one)).toBe(false);
  bytes[one] = 100;
  world.now += 59_999;
  expect(await storage.isFull(one)).toBe(false);
  world.now += 1;
  expect(await Promise.all([storage.isFull(one), storage.isFull(one)])).toEqual([true, true]);
  expect(world.counts).toBe(2);
});

test('a full user is counted again after some seconds, so that deleting frees, and not more often', async () => {
  const { storage, world, bytes } = opened({ [one]: 100 });
  expect(await storage.isFull(one)).toBe(true);
  bytes[one] = 0;
  world.now += FULL_RECOUNT_MS - 1;
  expect(await storage.isFull(one)).toBe(true);
  expect(world.counts).toBe(1);
  world.now += 1;
  expect(await Promise.all([storage.isFull(one), storage.isFull(one)])).toEqual([false, false]);
  expect(world.counts).toBe(2);
});

test('a count that failed is made again at the next question', async () => {
  const { storage, world } = opened({ [one]: 100 });
  world.isBroken = true;
  await expect(storage.isFull(one)).rejects.toThrow('broken');
  world.isBroken = false;
  expect(await storage.isFull(one)).toBe(true);
});
