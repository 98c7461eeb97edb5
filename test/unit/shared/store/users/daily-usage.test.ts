import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../../shared/lib/durations.ts';
import { activityStore } from '../../../../../shared/store/users/activity-counts.ts';
import { dailyUsage } from '../../../../../shared/store/users/daily-usage.ts';
import { usageStore } from '../../../../../shared/store/users/usage.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

const now = Date.UTC(2026, 10, 28, 0, 30);
const NONE = { runs: 0, events: 0, errors: 0, delivered: 0, failed: 0, computeMs: 0, payloadBytes: 0 };

test('the usage of a day is the sum of its hours and minutes, of runs and of deliveries', async () => {
  const [usage, activity] = [usageStore(stage.table), activityStore(stage.table)];
  const yesterday = now - HOUR_MS;
  await usage.add(stage.ownerId, { invocations: 2, computeMs: 30, events: 3, errors: 1 }, yesterday);
  await usage.add(stage.ownerId, { invocations: 1, computeMs: 5, payloadBytes: 7 }, yesterday - 60_000);
  await usage.add(stage.ownerId, { invocations: 4, computeMs: 8, events: 1 }, yesterday - 5 * HOUR_MS);
  await activity.addAttempts(stage.ownerId, { delivered: 5, failed: 2, payloadBytes: 11 }, yesterday);
  await activity.addAttempts(stage.ownerId, { delivered: 1, failed: 0 }, now);
  await usage.add(stage.ownerId, { invocations: 9, computeMs: 9, events: 9 }, now - 3 * DAY_MS);

  const days = await dailyUsage(stage.table)(stage.ownerId, { days: 3, now });
  expect(days).toEqual([
    { ...NONE, day: '2026-11-26' },
    {
      day: '2026-11-27',
      runs: 7,
      events: 4,
      errors: 1,
      delivered: 5,
      failed: 2,
      computeMs: 43,
      payloadBytes: 18,
    },
    { ...NONE, day: '2026-11-28', delivered: 1 },
  ]);
});

test('a user without any usage has days of zeros', async () => {
  expect(await dailyUsage(stage.table)(stage.ownerId, { days: 1, now })).toEqual([{ ...NONE, day: '2026-11-28' }]);
});
