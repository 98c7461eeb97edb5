import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { Work } from '../programs/model/quiet.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

/** An unreadable message came back for hours, and nobody saw it. */

const MINUTE = 60_000;

let clock: FakeClock;
let scene: Scene;
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
  scene = await Scene.open({ clock });
});
afterEach(() => scene.close());

const BODY = '{"card":"4242"}';

test('an unreadable message of every queue becomes a dead letter after ten minutes, and no log line has its body', async () => {
  const { dispatch, outputs } = scene.cloud.cloud.open;
  const queues = JSON.parse(outputs['Queues'] ?? '{}') as Record<string, { url: string; deadLettersUrl: string }>;
  expect(Object.keys(queues).toSorted()).toEqual(['deliveries', 'retries', 'runs', 'timers']);
  for (const { url } of Object.values(queues)) {
    const fifo = url.endsWith('.fifo') ? { MessageGroupId: 'dc_a', MessageDeduplicationId: 'a' } : {};
    const input = { QueueUrl: url, Entries: [{ Id: '0', MessageBody: BODY, ...fifo }] };
    await dispatch({ role: OPERATOR, service: 'SQS', operation: 'SendMessageBatch', input });
  }
  const countsOf = (url: string) => {
    const name = url.slice(url.lastIndexOf('/') + 1);
    return scene.cloud.cloud.services.sqs.countsOf(`arn:aws:sqs:us-east-1:000000000000:${name}`);
  };
  const work = new Work(scene.cloud, clock);
  await work.pass(9 * MINUTE);
  for (const { url, deadLettersUrl } of Object.values(queues))
    expect([countsOf(url).inFlight, countsOf(deadLettersUrl).visible]).toEqual([1, 0]);
  await work.pass(5 * MINUTE);
  for (const { url, deadLettersUrl } of Object.values(queues)) {
    await until(`the dead letter of ${url}`, () => countsOf(deadLettersUrl).visible === 1);
    await until(`the end of ${url}`, () => countsOf(url).inFlight + countsOf(url).visible === 0);
  }
  const lines = scene.cloud.logs.map(({ text }) => text);
  const { length } = lines.filter((line) => line.includes('message.unreadable'));
  // Each minute, or less often when minutes pass faster than this machine receives.
  expect(length).toBeGreaterThanOrEqual(4 * 2);
  expect(length).toBeLessThanOrEqual(4 * 11);
  expect(lines.join()).not.toContain('4242');
});
