import type * as z from 'zod';
import { expect, test } from 'vitest';
import { waitForRun, runMs } from '../../../../../bin/tributary/events/wait-for-run.ts';

const waiting = {
  id: 'api-1',
  state: 'waiting',
  started_at_ms: null,
  ended_at_ms: null,
  emitted: 0,
  error: null,
};
const running = { ...waiting, state: 'running', started_at_ms: 1_000 };
const done = { ...running, state: 'done', ended_at_ms: 1_030, emitted: 2 };

/**
 * A service that tells these states one after the other, the last one again and again, and a clock that pauses move.
 */
function service(states: readonly object[]) {
  const asked: string[] = [];
  const clock = { ms: 500 };
  return {
    asked,
    clock,
    api: {
      get: async <T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>> => {
        asked.push(path);
        return schema.parse(states[Math.min(asked.length, states.length) - 1]);
      },
    },
    options: {
      now: () => clock.ms,
      pause: async (ms: number) => void (clock.ms += ms),
    },
  };
}

const ids = { sourceId: 'dc_1', triggerId: 'api-1' };

test('the wait ends with the run', async () => {
  const { api, options, asked } = service([waiting, running, running, done]);
  expect(await waitForRun(api, ids, options)).toEqual(done);
  expect(asked).toEqual(Array.from({ length: 4 }, () => '/sources/dc_1/runs/api-1'));
});

test('a run that has not ended after 65 s is given as it is, after about a request a second', async () => {
  const { api, options, asked, clock } = service([running]);
  expect(await waitForRun(api, ids, options)).toEqual(running);
  expect(clock.ms).toBe(65_500);
  expect(asked.length).toBeLessThan(75);
});

test('a wait that takes long is told of once, with the state of the moment', async () => {
  const { api, options, clock } = service([running]);
  const told: [string, number][] = [];
  const onSlow = async ({ state }: { state: string }) => void told.push([state, clock.ms - 500]);
  await waitForRun(api, { ...ids, onSlow }, options);
  expect(told).toEqual([['running', expect.closeTo(4_500, -3)]]);
  const quick = service([waiting, running, done]);
  await waitForRun(quick.api, { ...ids, onSlow }, quick.options);
  expect(told).toHaveLength(1);
});

test('the time of a run is that from its start to its end', () => {
  expect([waiting, running, done].map(runMs)).toEqual([undefined, undefined, 30]);
});
