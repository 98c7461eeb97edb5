import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { queueSpec } from '../../../../infra/embedded/sqs/queue-resource.ts';
import { until } from '../../../support/until.ts';
import { callForOne, type OpenService, openService } from './targets.ts';

const clock = new FakeClock();
const onRequest = vi.fn();
let open: OpenService;
beforeEach(async () => {
  onRequest.mockReset();
  open = await openService({ clock, onRequest });
});
afterEach(() => open.close());

const isCalledSoon = (callback: ReturnType<typeof vi.fn>) => until('the call', () => callback.mock.calls.length > 0);

describe('the required permission', () => {
  test.each([
    ['SendMessage', 'sqs:SendMessage'],
    ['SendMessageBatch', 'sqs:SendMessage'],
    ['GetQueueAttributes', 'sqs:GetQueueAttributes'],
    ['ReceiveMessage', 'sqs:ReceiveMessage'],
    ['DeleteMessageBatch', 'sqs:DeleteMessage'],
    ['ChangeMessageVisibilityBatch', 'sqs:ChangeMessageVisibility'],
  ])('of %s is %s on the queue, whether or not the queue exists', async (operation, action) => {
    const resource = 'arn:aws:sqs:us-east-1:000000000000:work';
    const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/work';
    expect(open.service.requiredPermissions(operation, { QueueUrl })).toEqual([{ action, resource }]);
    await open.service.createQueue({ name: 'work' });
    for (let times = 0; times < 2; times += 1)
      expect(open.service.requiredPermissions(operation, { QueueUrl })).toEqual([{ action, resource }]);
  });

  test('needs a queue URL', () => {
    expect(() => open.service.requiredPermissions('SendMessage', {})).toThrow(
      'The request must contain the parameter QueueUrl.',
    );
  });
});

describe('StartMessageMoveTask', () => {
  test('moves every visible message as a new one, in the order of its group, and its task says how many', async () => {
    const { arn: SourceArn, url } = await open.service.createQueue({ name: 'dead.fifo', fifo: true });
    const { arn: DestinationArn, url: QueueUrl } = await open.service.createQueue({ name: 'work.fifo', fifo: true });
    for (let n = 0; n < 25; n += 1)
      await open.call('SendMessage', {
        ...{
          QueueUrl: url,
          MessageBody: String(n),
          MessageGroupId: n < 24 ? 'a' : 'b',
          MessageDeduplicationId: `${n}`,
        },
      });
    const [taken] = (await open.call('ReceiveMessage', { QueueUrl: url }))['Messages'] as { ReceiptHandle: string }[];
    const Entries = [{ Id: '0', ReceiptHandle: taken?.ReceiptHandle, VisibilityTimeout: 0 }];
    await open.call('ChangeMessageVisibilityBatch', { QueueUrl: url, Entries });
    await open.call('StartMessageMoveTask', { SourceArn, DestinationArn });
    expect(await open.call('ListMessageMoveTasks', { SourceArn })).toMatchObject({
      Results: [{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 25 }],
    });
    const { Messages } = await open.call('ReceiveMessage', {
      ...{ QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['ApproximateReceiveCount'] },
    });
    const received = Messages as { Body: string; Attributes: object }[];
    const ofA = received.filter(({ Body }) => Body !== '24');
    expect(ofA.map(({ Body }) => Number(Body))).toEqual(ofA.map((_, n) => n));
    expect(received[0]?.Attributes).toEqual({ ApproximateReceiveCount: '1' });
    expect(open.service.countsOf(SourceArn)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  test('needs two queues, and its permission on the first', async () => {
    const { arn: SourceArn } = await open.service.createQueue({ name: 'dead' });
    await expect(
      open.call('StartMessageMoveTask', { SourceArn, DestinationArn: `${SourceArn}-x` }),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(open.service.requiredPermissions('StartMessageMoveTask', { SourceArn })).toEqual([
      { action: 'sqs:StartMessageMoveTask', resource: SourceArn },
    ]);
  });
});

describe('GetQueueAttributes', () => {
  test('answers the counts that it is asked for, as texts', async () => {
    const { url: QueueUrl } = await open.service.createQueue({ name: 'work' });
    for (const body of ['a', 'b', 'c']) await open.call('SendMessage', { QueueUrl, MessageBody: body });
    await open.call('SendMessage', { QueueUrl, MessageBody: 'd', DelaySeconds: 60 });
    await open.call('ReceiveMessage', { QueueUrl });
    const names = ['', 'NotVisible', 'Delayed'].map((kind) => `ApproximateNumberOfMessages${kind}`);
    expect(await open.call('GetQueueAttributes', { QueueUrl, AttributeNames: names })).toEqual({
      Attributes: {
        ApproximateNumberOfMessages: '2',
        ApproximateNumberOfMessagesNotVisible: '1',
        ApproximateNumberOfMessagesDelayed: '1',
      },
    });
  });

  test('refuses an attribute that it does not have, and names it', async () => {
    const { url: QueueUrl } = await open.service.createQueue({ name: 'work' });
    await expect(open.call('GetQueueAttributes', { QueueUrl, AttributeNames: ['QueueArn'] })).rejects.toMatchObject({
      name: 'InvalidAttributeName',
      message: 'Unknown Attribute QueueArn.',
    });
  });
});

describe('a poller in this process', () => {
  test('is called when a message arrives, becomes visible again, and when a group continues', async () => {
    const { url: QueueUrl, arn } = await open.service.createQueue({
      name: 'work.fifo',
      fifo: true,
      visibilityTimeout: 30,
    });
    const callback = vi.fn();
    const stop = open.service.whenVisible(arn, callback);
    const send = (body: string) =>
      open.call('SendMessage', {
        QueueUrl,
        MessageBody: body,
        MessageGroupId: 'a',
        MessageDeduplicationId: body,
      });
    const receive = async () => {
      const { Messages } = await open.call('ReceiveMessage', { QueueUrl });
      return (Messages as { ReceiptHandle: string }[])[0]?.ReceiptHandle;
    };

    await send('1');
    await isCalledSoon(callback);
    expect(open.service.receivable(arn, 10)).toBe(1);
    const ReceiptHandle = await receive();
    await send('2');
    expect(open.service.receivable(arn, 10)).toBe(0);

    callback.mockReset();
    await callForOne(open.call, 'DeleteMessageBatch', { QueueUrl, ReceiptHandle });
    await isCalledSoon(callback);
    expect(open.service.receivable(arn, 10)).toBe(1);

    await receive();
    callback.mockReset();
    clock.advance(30_000);
    await isCalledSoon(callback);
    expect(open.service.receivable(arn, 10)).toBe(1);

    callback.mockReset();
    stop();
    await send('3');
    expect(callback).not.toHaveBeenCalled();
  });

  test('has its requests counted by entries and bytes, an empty receive as 0', async () => {
    const { url: QueueUrl } = await open.service.createQueue({ name: 'work' });
    await open.call('ReceiveMessage', { QueueUrl });
    await open.call('SendMessageBatch', {
      QueueUrl,
      Entries: [1, 2, 3].map((n) => ({ Id: String(n), MessageBody: 'mm' })),
    });
    await open.call('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 });
    expect(onRequest.mock.calls).toEqual([
      ['work', 'ReceiveMessage', 0, 0],
      ['work', 'SendMessageBatch', 3, 6],
      ['work', 'ReceiveMessage', 3, 6],
    ]);
  });
});

describe('a long poll', () => {
  test('ends empty after its wait time', async () => {
    const { url: QueueUrl } = await open.service.createQueue({ name: 'work' });
    const waiting = open.call('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 20 });
    clock.advance(20_000);
    expect(await waiting).toEqual({});
  });

  test('gives a message to one of several receives; the others keep waiting', async () => {
    const { url: QueueUrl } = await open.service.createQueue({ name: 'work' });
    const waiting = [1, 2, 3].map(() => open.call('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 20 }));
    await open.call('SendMessage', { QueueUrl, MessageBody: 'body' });
    await expect.poll(() => onRequest.mock.calls).toContainEqual(['work', 'ReceiveMessage', 1, 4]);
    clock.advance(20_000);
    expect((await Promise.all(waiting)).filter(({ Messages }) => Messages !== undefined)).toHaveLength(1);
  });

  test('ends when the service closes', async () => {
    const { url: QueueUrl } = await open.service.createQueue({ name: 'work' });
    const waiting = open.call('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 20 });
    open.service.close();
    expect(await waiting).toEqual({});
  });
});

describe('a queue of the template', () => {
  test('follows its properties', () => {
    const properties = {
      FifoQueue: 'true',
      ContentBasedDeduplication: false,
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
      VisibilityTimeout: '330',
      MessageRetentionPeriod: 1_209_600,
      MaximumMessageSize: 1024,
      RedrivePolicy: { deadLetterTargetArn: 'arn:dead', maxReceiveCount: '20' },
    };
    expect(queueSpec('work.fifo', properties)).toEqual({
      name: 'work.fifo',
      fifo: true,
      contentBasedDeduplication: false,
      deduplicationScope: 'messageGroup',
      fifoThroughputLimit: 'perMessageGroupId',
      visibilityTimeout: 330,
      messageRetentionPeriod: 1_209_600,
      maximumMessageSize: 1024,
      redrivePolicy: { deadLetterTargetArn: 'arn:dead', maxReceiveCount: 20 },
    });
  });

  test.each([
    { VisibilityTimeout: 43_201 },
    { MessageRetentionPeriod: 59 },
    { MessageRetentionPeriod: 1_209_601 },
    { MaximumMessageSize: 1_048_577 },
    { MaximumMessageSize: 1023 },
    { RedrivePolicy: { deadLetterTargetArn: 'arn', maxReceiveCount: 1001 } },
  ])('with %j is refused, as on AWS', (properties) => {
    expect(() => queueSpec('work', properties)).toThrow();
  });

  test.each(['', 'a b', 'x'.repeat(81), 'work.fifo'])('%j is not a valid name of a standard queue', async (name) => {
    await expect(open.service.createQueue({ name })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  test('the name of a FIFO queue ends with .fifo', async () => {
    await expect(open.service.createQueue({ name: 'work', fifo: true })).rejects.toThrow(
      'work is not a valid name of a FIFO queue',
    );
  });

  test('a dead-letter queue must have the type of its source queue', async () => {
    const deadLetterTargetArn = 'arn:aws:sqs:us-east-1:000000000000:dead';
    const redrivePolicy = { deadLetterTargetArn, maxReceiveCount: 1 };
    await open.service.createQueue({ name: 'dead' });
    await expect(open.service.createQueue({ name: 'work.fifo', fifo: true, redrivePolicy })).rejects.toThrow(
      'the same type',
    );
  });
});
