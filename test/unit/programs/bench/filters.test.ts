import { expect, test } from 'vitest';
import { filterCpuMs, readingCpuMs, SUBSCRIPTIONS } from '../../../programs/bench/filters.ts';

test('a filter of an emitter takes at most 1.5 times the CPU that reading the event takes', async () => {
  expect((await filterCpuMs(1)) / (await readingCpuMs())).toBeLessThanOrEqual(1.5 * SUBSCRIPTIONS);
});
