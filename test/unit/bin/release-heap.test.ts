import { expect, test, vi } from 'vitest';
import { releaseAfterBursts } from '../../../bin/release-heap.ts';

const MB = 1_000_000;

/** Collections after each of the checks; `ms` is the processor time since the one before, `mb` the memory. */
async function collections(checks: readonly { ms: number; mb: number; mbAfter?: number }[]): Promise<number[]> {
  let used = { processorMs: 0, bytes: 0 };
  let mbAfter = 0;
  const collect = vi.fn<() => Promise<void>>().mockImplementation(async () => {
    used = { processorMs: used.processorMs + 300, bytes: mbAfter * MB };
    await Promise.resolve();
  });
  const check = releaseAfterBursts(() => used, collect);
  const counts: number[] = [];
  for (const each of checks) {
    used = { processorMs: used.processorMs + each.ms, bytes: each.mb * MB };
    mbAfter = each.mbAfter ?? 120;
    await check();
    counts.push(collect.mock.calls.length);
  }
  return counts;
}

test('the first quiet check after a burst collects its garbage, and later ones do not', async () => {
  const burst = { ms: 9_000, mb: 400 };
  const released = { ms: 10, mb: 125 };
  expect(await collections([burst, { ms: 50, mb: 400 }, released, burst, { ms: 50, mb: 400 }])).toEqual([
    0, 1, 1, 1, 2,
  ]);
});

test('a service that is busy, or has the memory of a start, is never stopped for a collection', async () => {
  expect(await collections([1, 2, 3].map(() => ({ ms: 200, mb: 400 })))).toEqual([0, 0, 0]);
  expect(await collections([1, 2, 3].map(() => ({ ms: 50, mb: 150 })))).toEqual([0, 0, 0]);
});

test('memory that a collection cannot give back is not collected again before it grows by a quarter', async () => {
  const full = { ms: 10, mb: 400, mbAfter: 390 };
  expect(await collections([full, full, { ...full, mb: 480 }, { ...full, mb: 490 }])).toEqual([1, 1, 1, 2]);
});

test('objects that nothing refers to are gone after the collection', async () => {
  const garbage = Array.from({ length: 100 }, () => new WeakRef({ text: 'x'.repeat(1_000) }));
  const check = releaseAfterBursts(() => ({ processorMs: 0, bytes: 400 * MB }));
  // An object that was read stays until the end of its task.
  expect(garbage.every((each) => each.deref())).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  await check();
  expect(garbage.filter((each) => each.deref())).toEqual([]);
});
