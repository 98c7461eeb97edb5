import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AwsError } from '../../../../infra/embedded/call.ts';
import { schedulerClient } from '../../../../shared/aws/clients.ts';
import { createSchedules } from '../../../../shared/aws/schedules.ts';
import { problemOf } from '../../../../shared/http/problem.ts';
import { schedulerRequestHandler } from '../../../support/aws-wire/scheduler-handler.ts';

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key');
  waits = [];
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
  const wait = setTimeout;
  const passAtOnce = (callback: () => void, ms = 0) => {
    // Other files of this process have timers, too.
    if (ofClient.getStore() !== true) return wait(callback, ms);
    waits.push(ms);
    return wait(callback, 0);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(passAtOnce as typeof setTimeout);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const ofClient = new AsyncLocalStorage<true>();

/** Times in ms for which the client waited. They pass at once. */
let waits: number[] = [];
const waitedMs = () => waits.reduce((sum, ms) => sum + ms, 0);

/** Schedules of a client whose first requests are refused with this error; and the number of its requests. */
function refusing(times: number, refusal: AwsError) {
  const client = schedulerClient();
  let requests = 0;
  const { handle, metadata } = schedulerRequestHandler(() => {
    requests += 1;
    return requests <= times ? Promise.reject(refusal) : Promise.resolve({ ScheduleArn: 'arn' });
  });
  Object.assign(client.config, { requestHandler: { handle, metadata, destroy: () => undefined } });
  const schedules = createSchedules({
    scheduler: () => client,
    groupName: 'g',
    roleArn: 'arn:role',
    deadLettersArn: 'arn:dead',
  });
  const create = () =>
    ofClient.run(true, () =>
      schedules.create({ name: 'n', when: { expression: 'rate(1 minute)' }, queueArn: 'arn:q', input: '{}' }),
    );
  return { create, requests: () => requests };
}

const throttled = new AwsError('ThrottlingException', 'Rate exceeded', { statusCode: 429 });

test('a schedule that Scheduler refuses four times because of its rate is made within 16 s', async () => {
  const { create, requests } = refusing(4, throttled);
  await create();
  expect(requests()).toBe(5);
  expect(waitedMs()).toBeGreaterThan(10_000);
  expect(waitedMs()).toBeLessThan(16_000);
});

test.each([
  ['a rate', throttled],
  ['a quota', new AwsError('ServiceQuotaExceededException', 'Too many schedules', { statusCode: 402 })],
])('%s that stays exceeded is 503 with Retry-After, and no defect of the service', async (_, refusal) => {
  const { create } = refusing(Infinity, refusal);
  const error = await create().then(
    () => expect.unreachable(),
    (reason: unknown) => reason,
  );
  expect(problemOf(error)).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 5 });
  expect(waitedMs()).toBeLessThan(16_000);
});
