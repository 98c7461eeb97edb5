import { expect, test } from 'vitest';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { createStorage, FULL_RECOUNT_MS } from '../../../../../shared/service/admission/storage.ts';

const one = UserId.parse('u_1');
const other = UserId.parse('u_2');

const flooded = SourceId.parse('dc_1');
const quiet = SourceId.parse('dc_2');

function opened(bytes: Record<string, number>, byEmitter: Record<string, number> = {}, emitters = 1) {
  const world = { now: 1_000_000, counts: 0, isBroken: false };
  const storage = createStorage({
    storedBytes: (ownerId) => {
      world.counts += 1;
      if (world.isBroken) return Promise.reject(new Error('broken'));
      return Promise.resolve({
        total: bytes[ownerId] ?? 0,
        byEmitter: new Map(Object.entries(byEmitter).map(([id, used]) => [SourceId.parse(id), used])),
        emitters,
      });
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

test('bytes that other processes store are known within a minute, and concurrent callers share one count', async () => {
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

test('beyond three quarters a source that used a quarter takes nothing more, and the others go on until all is used', async () => {
  const used = (total: number) => opened({ [one]: total }, { [flooded]: 70, [quiet]: 5 }, 2).storage;
  const served = async (total: number) => {
    const storage = used(total);
    return [!(await storage.isFullFor(one, flooded)), !(await storage.isFullFor(one, quiet))];
  };
  expect(await served(74)).toEqual([true, true]);
  expect(await served(75)).toEqual([false, true]);
  expect(await served(99)).toEqual([false, true]);
  expect(await served(100)).toEqual([false, false]);
  // The user is full for new components, sources and events of other emitters only then.
  expect(await used(99).isFull(one)).toBe(false);
});

test('bytes that a source stores in this process count for its share at once', async () => {
  const { storage } = opened({ [one]: 74 }, { [flooded]: 20 }, 2);
  expect(await storage.isFullFor(one, flooded)).toBe(false);
  storage.add(one, 5, flooded);
  expect(await storage.isFullFor(one, flooded)).toBe(true);
  expect(await storage.isFullFor(one, quiet)).toBe(false);
});

test("a user's only source uses all", async () => {
  const { storage } = opened({ [one]: 99 }, { [flooded]: 99 });
  expect(await storage.isFullFor(one, flooded)).toBe(false);
});
