import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listDeadLetters, redriveDeadLetters } from '../../../../bin/admin/commands/dead-letter-commands.ts';
import { createMoveLetters } from '../../../../bin/admin/move-letters.ts';
import { createDeadLetters } from '../../../../shared/aws/letters/dead-letters.ts';
import { native, type Target } from '../../contract/sqs/targets.ts';

/** A list of 9,000 dead letters never ended, and a redrive moved 50 a second. */

const MANY = 3_000;
type Operator = Parameters<typeof listDeadLetters.run>[0];

let target: Target;
let url: string;
let deadLettersUrl: string;
beforeEach(async () => {
  target = await native();
  ({ url } = await target.createQueue());
  ({ url: deadLettersUrl } = await target.createQueue());
});
afterEach(() => target.close());

const message = (probe: number) => ({ kind: 'probe', listenerId: 'wh_abcdefg', probe });

async function fill(count: number, body: (n: number) => string): Promise<void> {
  for (let start = 0; start < count; start += 10) {
    const Entries = Array.from({ length: 10 }, (_, n) => ({ Id: String(n), MessageBody: body(start + n) }));
    await target.client.send(new SendMessageBatchCommand({ QueueUrl: deadLettersUrl, Entries }));
  }
}

const operator = () => {
  const retries = createDeadLetters(() => target.client, { url, deadLettersUrl });
  const queues = { retries: { url, deadLettersUrl } } as Parameters<typeof createMoveLetters>[1]['queues'];
  const moveLetters = createMoveLetters(() => target.client, { queues, schedulesRoleArn: 'arn:aws:iam::0:role/x' });
  return { deadLetters: { retries }, moveLetters } as unknown as Operator;
};

test('thousands of dead letters are counted by reason within the time for which a reader hides them, and stay', async () => {
  await fill(MANY, (n) => (n % 3 === 0 ? 'x' : JSON.stringify({ n })));
  const startedAt = performance.now();
  const { json } = await listDeadLetters.run(operator(), { queue: 'retries', byReason: true });
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  expect(json).toMatchObject([{ queue: 'retries', reason: 'unreadable', kind: 'unreadable', count: MANY }]);
  expect(await target.countsOf(deadLettersUrl)).toMatchObject({ visible: MANY, inFlight: 0 });
});

test('a redrive moves more than 200 dead letters a second, and only those of a reason', async () => {
  await fill(MANY, (n) => JSON.stringify(n % 2 === 0 ? { n } : message(n)));
  // Other work of the machine takes none of this time.
  const before = process.cpuUsage();
  const { json } = await redriveDeadLetters.run(operator(), { queue: 'retries', reason: 'failed' });
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1_000_000;
  expect(json).toEqual({ queue: 'retries', redriven: MANY / 2 });
  expect(MANY / 2 / seconds).toBeGreaterThan(200);
  expect((await target.countsOf(url)).visible).toBe(MANY / 2);
  expect(await target.countsOf(deadLettersUrl)).toMatchObject({ visible: MANY / 2, inFlight: 0 });
});

test('SQS moves a whole queue at more than 200 dead letters a second, each as a new message', async () => {
  await fill(MANY, (n) => JSON.stringify(message(n)));
  const startedAt = performance.now();
  const { json } = await redriveDeadLetters.run(operator(), { queue: 'retries' });
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(json).toEqual({ queue: 'retries', redriven: MANY });
  expect(MANY / seconds).toBeGreaterThan(200);
  expect((await target.countsOf(url)).visible).toBe(MANY);
  expect(await target.countsOf(deadLettersUrl)).toMatchObject({ visible: 0, inFlight: 0 });
});

test('a list ends when letters come again before all were read', async () => {
  const letters = ['a', 'b'].map((id) => ({
    id,
    handle: id,
    body: 'x',
    sentAt: 0,
    isFifo: false,
    attributes: new Map(),
  }));
  let receives = 0;
  const receive = () => {
    receives += 1;
    return receives > 1_000 ? Promise.reject(new Error('the list goes on')) : Promise.resolve(letters);
  };
  const deadLetters = { retries: { receive, release: () => Promise.resolve() } };
  const { json } = await listDeadLetters.run({ deadLetters } as unknown as Operator, { queue: 'retries' });
  expect(json).toHaveLength(2);
});
