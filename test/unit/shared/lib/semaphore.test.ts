import { afterEach, expect, test, vi } from 'vitest';
import { createSemaphore, type SemaphoreOptions } from '../../../../shared/lib/semaphore.ts';

const LONG_MS = 60_000;

afterEach(() => void vi.useRealTimers());

/** Takes places and tells in which order the callers got them. */
function world(permits: number, options: SemaphoreOptions = {}) {
  const semaphore = createSemaphore(permits, options);
  const got: string[] = [];
  const take = async (name: string, count: number, withinMs = LONG_MS) => {
    const isAcquired = await semaphore.acquire(count, withinMs);
    got.push(isAcquired ? name : `${name} not`);
  };
  return { semaphore, got, take };
}

test('places are given in the order of the calls, also to small work behind large work', async () => {
  const { semaphore, got, take } = world(3);
  await take('a', 2);
  const rest = [take('b', 3), take('c', 1), take('d', 1)];
  await Promise.resolve();
  expect(got).toEqual(['a']);
  semaphore.release(2);
  await rest[0];
  expect(got).toEqual(['a', 'b']);
  semaphore.release(3);
  await Promise.all(rest);
  expect(got).toEqual(['a', 'b', 'c', 'd']);
});

test('work larger than all places starts when nothing else is under way, and nothing beside it', async () => {
  const { semaphore, got, take } = world(3);
  await take('a', 1);
  const large = take('large', 10);
  const small = take('small', 1);
  semaphore.release(1);
  await large;
  expect(got).toEqual(['a', 'large']);
  semaphore.release(10);
  await small;
});

test('a caller that waits too long gets no permit, and lets smaller ones go on', async () => {
  const { semaphore, got, take } = world(3);
  await take('a', 2);
  const small = take('small', 1);
  await small;
  semaphore.release(1);
  const large = take('large', 3, 10);
  const next = take('next', 1);
  await Promise.all([large, next]);
  expect(got).toEqual(['a', 'small', 'large not', 'next']);
  semaphore.release(2);
  await take('all', 3, 0);
  expect(got.at(-1)).toBe('all not');
  semaphore.release(1);
  await take('all', 3);
  expect(got.at(-1)).toBe('all');
});

test('places that come free within a time are given together, and at once when all are free', async () => {
  vi.useFakeTimers();
  const { semaphore, got, take } = world(4, { gatherMs: 50 });
  await take('a', 4);
  const rest = ['b', 'c', 'd'].map((name) => take(name, 2));
  semaphore.release(2);
  await vi.advanceTimersByTimeAsync(30);
  semaphore.release(1);
  expect(got).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(20);
  expect(got).toEqual(['a', 'b']);
  semaphore.release(3);
  await Promise.all(rest);
  expect(got).toEqual(['a', 'b', 'c', 'd']);
  expect(vi.getTimerCount()).toBe(0);
  // Without anybody who waits, a free place is given at once.
  semaphore.release(2);
  await take('e', 2);
  expect(got.at(-1)).toBe('e');
});

test('work starts while fewer places than the usual ones are taken, and takes any others once it has waited', async () => {
  vi.useFakeTimers();
  const { semaphore, got, take } = world(10, { usual: { permits: 3, waitMs: 1_000 } });
  await take('a', 2);
  await take('b', 4);
  const rest = ['c', 'd', 'e'].map((name) => take(name, 2));
  semaphore.release(2);
  await vi.advanceTimersByTimeAsync(999);
  expect(got).toEqual(['a', 'b']);
  semaphore.release(2);
  await rest[0];
  expect(got).toEqual(['a', 'b', 'c']);
  await vi.advanceTimersByTimeAsync(1);
  expect(got).toEqual(['a', 'b', 'c', 'd', 'e']);
  const last = [take('f', 2), take('g', 1)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(got.slice(5)).toEqual(['f']);
  semaphore.release(3);
  await Promise.all(last);
  expect(got.slice(5)).toEqual(['f', 'g']);
  const usual = take('h', 1);
  semaphore.release(6);
  await usual;
  expect(vi.getTimerCount()).toBe(0);
});

test('gives thousands of places in order', async () => {
  const { semaphore, got, take } = world(1);
  const names = Array.from({ length: 5_000 }, (_, n) => `${n}`);
  const all = names.map((name) => take(name, 1));
  for (const one of all) {
    await one;
    semaphore.release(1);
  }
  expect(got).toEqual(names);
});
