import { expect, test } from 'vitest';
import { filterCpuMs } from '../../bench/filters.ts';

test('matching 1,000 filtered subscriptions of one emitter takes at most 2 ms of CPU per event', async () => {
  expect(await filterCpuMs(1)).toBeLessThanOrEqual(2);
});
