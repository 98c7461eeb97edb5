import { afterEach, beforeEach, expect, test } from 'vitest';
import { usageStore } from '../../../../../shared/store/users/usage.ts';
import { repeatingTable } from '../../../../support/repeating-table.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

const DAY = Date.parse('2031-02-28T00:00:00Z');
const HOUR = 3_600_000;

test('counting a run costs one write unit, also at the end of a busy day', async () => {
  const usages = usageStore(stage.table);
  const busy = { invocations: 9_999_999, computeMs: 999_999_999_999 };
  for (let hour = 0; hour < 24; hour += 1) await usages.add(stage.ownerId, busy, DAY + hour * HOUR);
  expect(stage.units.write).toBe(24);
});

test('batches that end while a write is under way share the next one, and each counts', async () => {
  const usages = usageStore(stage.table);
  const run = { invocations: 1, computeMs: 3, events: 2 };
  await Promise.all(Array.from({ length: 20 }, () => usages.add(stage.ownerId, run, DAY)));
  await Promise.all([
    usages.add(stage.ownerId, run, DAY),
    usages.add(stage.ownerId, run, DAY + 60_000),
    usages.add(stage.ownerId, run, DAY - HOUR),
  ]);
  expect(await usages.ofDay(stage.ownerId, DAY)).toEqual({ invocations: 22, computeMs: 66 });
  expect(await usages.ofDay(stage.ownerId, DAY - HOUR)).toEqual({ invocations: 1, computeMs: 3 });
  expect(stage.units.write).toBe(4);
});

test('a shared write that fails fails all its batches, and the next one counts', async () => {
  let failures = 1;
  const dynamo = new Proxy(stage.table.dynamo, {
    get: (client, member, receiver) => {
      if (member !== 'send' || failures === 0) return Reflect.get(client, member, receiver) as unknown;
      failures -= 1;
      return () => Promise.reject(new Error('no response'));
    },
  });
  const usages = usageStore({ ...stage.table, dynamo });
  const run = { invocations: 1, computeMs: 1 };
  const add = () => usages.add(stage.ownerId, run, DAY);
  const ended = await Promise.allSettled([add(), add()]);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await add();
  expect((await usages.ofDay(stage.ownerId, DAY)).invocations).toBe(1);
});

test('every run is in one period, to the hour', async () => {
  const usages = usageStore(stage.table);
  const run = { invocations: 1, computeMs: 1 };
  const times = [-5 * HOUR, 0, 9.9 * HOUR, 10 * HOUR, 10.5 * HOUR, 23.9 * HOUR, 24 * HOUR];
  for (const time of times) await usages.add(stage.ownerId, run, DAY + time);
  const periods = [
    { start: DAY - 31 * 24 * HOUR, end: DAY + 10.2 * HOUR },
    { start: DAY + 10.2 * HOUR, end: DAY + 28 * 24 * HOUR },
  ];
  const counts = await Promise.all(periods.map((period) => usages.ofPeriod(stage.ownerId, period)));
  expect(counts).toEqual([3, 4]);
  expect((await usages.ofDay(stage.ownerId, DAY)).invocations).toBe(5);
});

test('a run counts once when the SDK repeats the request', async () => {
  const usages = usageStore(repeatingTable(stage.table));
  await usages.add(stage.ownerId, { invocations: 1, computeMs: 5 }, DAY);
  await usages.add(stage.ownerId, { invocations: 2, computeMs: 5 }, DAY);
  expect(await usages.ofDay(stage.ownerId, DAY)).toEqual({ invocations: 3, computeMs: 10 });
});
