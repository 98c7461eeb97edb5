import { expect, test, vi } from 'vitest';
import { releaseAfterBursts } from '../../../bin/release-heap.ts';

const BUSY_MS = 10_000;
const QUIET_MS = 100;

/** Collections after each of the minutes, which used this processor time. */
async function collections(minutes: readonly number[]): Promise<number[]> {
  let used = 0;
  const collect = vi.fn<() => Promise<void>>().mockResolvedValue();
  const check = releaseAfterBursts(() => used, collect);
  const counts: number[] = [];
  for (const ms of minutes) {
    used += ms;
    await check();
    counts.push(collect.mock.calls.length);
  }
  return counts;
}

test('the first quiet minute after a burst collects its garbage, and later ones do not', async () => {
  expect(await collections([BUSY_MS, BUSY_MS, QUIET_MS, QUIET_MS, BUSY_MS, QUIET_MS])).toEqual([0, 0, 1, 1, 1, 2]);
});

test('a service that is never busy, or never quiet, collects nothing', async () => {
  expect(await collections([QUIET_MS, QUIET_MS, QUIET_MS])).toEqual([0, 0, 0]);
  expect(await collections([BUSY_MS, BUSY_MS, BUSY_MS])).toEqual([0, 0, 0]);
});

test('objects that nothing refers to are gone after the collection', async () => {
  const garbage = Array.from({ length: 100 }, () => new WeakRef({ text: 'x'.repeat(1_000) }));
  const minutes = [0, BUSY_MS, BUSY_MS + QUIET_MS].values();
  const check = releaseAfterBursts(() => minutes.next().value ?? 0);
  await check();
  expect(garbage.every((each) => each.deref())).toBe(true);
  // An object that was read stays until the end of its task.
  await new Promise((resolve) => setImmediate(resolve));
  await check();
  expect(garbage.filter((each) => each.deref())).toEqual([]);
});
