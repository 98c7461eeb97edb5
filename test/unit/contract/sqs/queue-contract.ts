import * as sdk from '@aws-sdk/client-sqs';
import { describe, expect } from 'vitest';
import type { Contract } from './contract.ts';

/** The queue as a whole. */
export function queueContract({
  promise,
  queue,
  send,
  receive,
  receiveOne,
  remove,
  change,
  attributes,
  refused,
  batches,
  createQueue,
  command,
}: Contract): void {
  describe('GetQueueAttributes', () => {
    promise('counts what is visible, in flight and delayed', async () => {
      const url = await queue();
      await send(url, 'visible');
      await send(url, 'received');
      await send(url, 'later', { DelaySeconds: 600 });
      await receiveOne(url);
      expect(await attributes(url, 'All')).toMatchObject({
        ApproximateNumberOfMessages: '1',
        ApproximateNumberOfMessagesNotVisible: '1',
        ApproximateNumberOfMessagesDelayed: '1',
      });
    });

    promise('gives the settings of the queue', async () => {
      const { url, arn } = await createQueue({ visibilityTimeout: 77, delaySeconds: 5 });
      expect(await attributes(url, 'All')).toMatchObject({
        QueueArn: arn,
        VisibilityTimeout: '77',
        DelaySeconds: '5',
        MessageRetentionPeriod: '345600',
        MaximumMessageSize: '1048576',
        ReceiveMessageWaitTimeSeconds: '0',
      });
    });

    promise('gives only what is asked for', async () => {
      expect(Object.keys(await attributes(await queue(), 'QueueArn'))).toEqual(['QueueArn']);
    });

    promise('refuses an unknown queue attribute', async () => {
      await refused(attributes(await queue(), 'Nonsense' as sdk.QueueAttributeName), 'InvalidAttributeName');
    });
  });

  describe('GetQueueUrl', () => {
    promise('gives the address under which the queue answers', async () => {
      const { url, name } = await createQueue();
      const { QueueUrl } = await command((client) =>
        client.send(new sdk.GetQueueUrlCommand({ QueueName: name })),
      );
      expect(QueueUrl).toBe(url);
    });

    promise('refuses a name that no queue has', async () => {
      await refused(
        command((client) => client.send(new sdk.GetQueueUrlCommand({ QueueName: 'nowhere' }))),
        'QueueDoesNotExist',
      );
    });
  });

  describe('PurgeQueue', () => {
    promise('deletes everything, in flight and delayed too', async () => {
      const url = await queue();
      await send(url, 'received');
      await receiveOne(url);
      await send(url, 'waiting');
      await send(url, 'delayed', { DelaySeconds: 600 });
      await command((client) => client.send(new sdk.PurgeQueueCommand({ QueueUrl: url })));
      expect(await attributes(url, 'All')).toMatchObject({
        ApproximateNumberOfMessages: '0',
        ApproximateNumberOfMessagesNotVisible: '0',
        ApproximateNumberOfMessagesDelayed: '0',
      });
    });

    promise('refuses a second purge within 60 s', async () => {
      const url = await queue();
      await command((client) => client.send(new sdk.PurgeQueueCommand({ QueueUrl: url })));
      await refused(
        command((client) => client.send(new sdk.PurgeQueueCommand({ QueueUrl: url }))),
        'PurgeQueueInProgress',
      );
    });
  });

  describe('a queue that does not exist', () => {
    const commands: Record<string, (QueueUrl: string) => Promise<unknown>> = {
      SendMessage: (QueueUrl) => send(QueueUrl),
      ReceiveMessage: (QueueUrl) => receive(QueueUrl),
      DeleteMessage: (QueueUrl) => remove(QueueUrl, 'handle'),
      ChangeMessageVisibility: (QueueUrl) => change(QueueUrl, 'handle', 1),
      GetQueueAttributes: (QueueUrl) => attributes(QueueUrl, 'All'),
      PurgeQueue: (QueueUrl) => command((client) => client.send(new sdk.PurgeQueueCommand({ QueueUrl }))),
      ...Object.fromEntries(
        Object.entries(batches).map(([name, callBatch]) => [name, (url: string) => callBatch(url, ['a'])]),
      ),
    };
    for (const [operation, command] of Object.entries(commands)) {
      promise(`refuses ${operation}`, async () => {
        const url = (await queue()).replace(/[^/]+$/, 'nowhere');
        await refused(command(url), 'QueueDoesNotExist');
      });
    }
  });
}
