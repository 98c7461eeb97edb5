import { afterEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { roughWeather, type Weather, type WeatherKind } from '../../../../infra/embedded/weather.ts';
import { type NewQueue, type OpenService, openService } from './targets.ts';

let open: OpenService | undefined;
afterEach(() => open?.close());

interface Received {
  readonly Body: string;
  readonly ReceiptHandle: string;
  readonly Attributes: Readonly<Record<string, string>>;
}

async function queueIn(weather: Weather, spec: NewQueue = {}) {
  open = await openService({ clock: new FakeClock(), weather });
  const { service, call } = open;
  const { url: QueueUrl } = await service.createQueue({
    name: spec.fifo ? 'q.fifo' : 'q',
    visibilityTimeout: 30,
    ...spec,
  });
  return {
    call: (operation: string, input: object) => call(operation, { QueueUrl, ...input }),
    async receive(max = 10) {
      const input = { QueueUrl, MaxNumberOfMessages: max, MessageSystemAttributeNames: ['All'] };
      const { Messages = [] } = await call('ReceiveMessage', input);
      return Messages as Received[];
    },
  };
}

const always = (kind: WeatherKind) => roughWeather(1, { [kind]: 1 });

describe('rough weather', () => {
  test('a standard queue gives a deleted message again', async () => {
    const weather = always('repeated-message');
    const queue = await queueIn(weather);
    await queue.call('SendMessage', { MessageBody: 'body' });
    const [first] = await queue.receive();
    await queue.call('DeleteMessage', { ReceiptHandle: first?.ReceiptHandle });
    const [second] = await queue.receive();
    expect(second).toMatchObject({ Body: 'body', Attributes: { ApproximateReceiveCount: '2' } });
    expect(weather.counts['repeated-message']).toBe(1);
  });

  test('a standard queue gives messages out of order', async () => {
    const weather = roughWeather(1, { 'reordered-message': 0.5 });
    const queue = await queueIn(weather);
    const bodies = Array.from({ length: 10 }, (_, n) => String(n));
    for (const MessageBody of bodies) await queue.call('SendMessage', { MessageBody });
    const received = (await queue.receive()).map(({ Body }) => Body);
    expect(received).not.toEqual(bodies);
    expect(received.sort()).toEqual(bodies);
    expect(weather.counts['reordered-message']).toBeGreaterThan(0);
  });

  test.each([
    ['SendMessageBatch', { MessageBody: 'body' }],
    ['DeleteMessageBatch', { ReceiptHandle: 'handle' }],
    ['ChangeMessageVisibilityBatch', { ReceiptHandle: 'handle', VisibilityTimeout: 0 }],
  ])('%s refuses entries that are not at fault', async (operation, entry) => {
    const weather = always('refused-entry');
    const queue = await queueIn(weather);
    const { Failed, Successful } = await queue.call(operation, { Entries: [{ Id: 'one', ...entry }] });
    expect(Failed).toMatchObject([{ Id: 'one', SenderFault: false, Code: 'InternalError' }]);
    expect(Successful).toEqual([]);
    expect(await queue.receive()).toEqual([]);
    expect(weather.counts['refused-entry']).toBe(1);
  });

  test('a FIFO receive mixes groups where one of them would have filled it, each in its order', async () => {
    const weather = always('mixed-groups');
    const queue = await queueIn(weather, { fifo: true });
    for (const group of ['a', 'b', 'c']) {
      for (let n = 0; n < 10; n += 1) {
        const MessageBody = `${group}${n}`;
        await queue.call('SendMessage', {
          MessageBody,
          MessageGroupId: group,
          MessageDeduplicationId: MessageBody,
        });
      }
    }
    const received = (await queue.receive()).map(({ Body }) => Body);
    expect(received).toHaveLength(10);
    expect(new Set(received.map((body) => body.charAt(0))).size).toBe(3);
    expect(received).toEqual([...received].sort());
    expect(weather.counts['mixed-groups']).toBe(1);
  });
});

test('in fair weather one group fills a receive when it can', async () => {
  const queue = await queueIn(roughWeather(1, {}), { fifo: true });
  for (const MessageGroupId of ['a', 'b']) {
    for (let n = 0; n < 10; n += 1) {
      const MessageBody = `${MessageGroupId}${n}`;
      await queue.call('SendMessage', { MessageBody, MessageGroupId, MessageDeduplicationId: MessageBody });
    }
  }
  expect(new Set((await queue.receive()).map(({ Body }) => Body.charAt(0))).size).toBe(1);
});
