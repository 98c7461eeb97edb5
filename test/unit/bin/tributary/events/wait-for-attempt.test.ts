import type * as z from 'zod';
import { expect, test } from 'vitest';
import { waitForAttempt } from '../../../../../bin/tributary/events/wait-for-attempt.ts';

const delivery = (attempts: number) => ({
  id: 'dl_1',
  status: 'retrying',
  attempts,
  created_at_ms: 0,
  emitter_id: null,
  event_id: null,
  event_name: null,
  attempt_log: [],
});

/** A service whose delivery has these attempts, one reading after the other, and a clock that pauses move. */
function service(...attempts: number[]) {
  let asked = 0;
  let ms = 0;
  const api = {
    get: async <T extends z.ZodType>(_: string, schema: T): Promise<z.output<T>> =>
      schema.parse(delivery(attempts[Math.min(asked++, attempts.length - 1)] ?? 0)),
  };
  const options = { now: () => ms, pause: async (pauseMs: number) => void (ms += pauseMs) };
  return { api, options, ms: () => ms };
}

test('the wait ends with the next attempt', async () => {
  const { api, options } = service(2, 2, 3);
  expect(await waitForAttempt(api, { path: '/x', attempts: 2 }, options)).toMatchObject({ attempts: 3 });
});

test('an attempt that has not ended after 65 s is not waited for', async () => {
  const { api, options, ms } = service(2);
  expect(await waitForAttempt(api, { path: '/x', attempts: 2 }, options)).toBeUndefined();
  expect(ms()).toBe(65_000);
});
