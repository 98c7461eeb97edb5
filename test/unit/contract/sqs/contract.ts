import * as sdk from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callForOne, type NewQueue, type Target } from './targets.ts';

export interface ContractOptions {
  readonly open: () => Promise<Target>;
  /** Titles of the promises that this target breaks. A test of such a promise must fail. */
  readonly differences?: ReadonlySet<string>;
}

export const MIB = 1_048_576;
export const all = { MessageSystemAttributeNames: ['All' as const], MessageAttributeNames: ['All'] };

/** One target under test with helpers for its operations. Call it inside a `describe`. */
export function contract({ open, differences = new Set() }: ContractOptions) {
  let target: Target;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(() => target.close());

  const promise = (title: string, body: () => Promise<void>) => {
    if (differences.has(title)) test.fails(title, body);
    else test(title, body);
  };

  const queue = async (spec?: NewQueue) => (await target.createQueue(spec)).url;
  const send = (QueueUrl: string, MessageBody = 'body', more: Partial<sdk.SendMessageCommandInput> = {}) =>
    target.client.send(new sdk.SendMessageCommand({ QueueUrl, MessageBody, ...more }));
  const sendBatch = (QueueUrl: string, Entries: sdk.SendMessageBatchRequestEntry[]) =>
    target.client.send(new sdk.SendMessageBatchCommand({ QueueUrl, Entries }));
  const receive = async (QueueUrl: string, more: Partial<sdk.ReceiveMessageCommandInput> = {}) => {
    const output = await target.client.send(new sdk.ReceiveMessageCommand({ QueueUrl, ...more }));
    return output.Messages ?? [];
  };
  const receiveOne = async (QueueUrl: string, more: Partial<sdk.ReceiveMessageCommandInput> = {}) => {
    const [message] = await receive(QueueUrl, more);
    return message ?? expect.fail('No message was received.');
  };
  const callBatch = (operation: string, input: object) =>
    operation === 'DeleteMessageBatch'
      ? target.client.send(new sdk.DeleteMessageBatchCommand(input as sdk.DeleteMessageBatchCommandInput))
      : target.client.send(
          new sdk.ChangeMessageVisibilityBatchCommand(input as sdk.ChangeMessageVisibilityBatchCommandInput),
        );
  const remove = (QueueUrl: string, ReceiptHandle: string | undefined) =>
    callForOne(callBatch as never, 'DeleteMessageBatch', { QueueUrl, ReceiptHandle });
  const change = (QueueUrl: string, ReceiptHandle: string | undefined, VisibilityTimeout: number | undefined) =>
    callForOne(callBatch as never, 'ChangeMessageVisibilityBatch', {
      QueueUrl,
      ReceiptHandle,
      ...(VisibilityTimeout !== undefined && { VisibilityTimeout }),
    });
  /** Compares names: the oracle prefixes the names of errors that the SDK does not model. */
  const refused = async (response: Promise<unknown>, name: string) => {
    const error: unknown = await response
      .then(() => expect.fail(`The call was not refused with ${name}.`))
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).name.replace('AWS.SimpleQueueService.', '')).toBe(name);
  };
  const command = <Output>(call: (client: sdk.SQSClient) => Promise<Output>) => call(target.client);
  const batches = {
    SendMessageBatch: (url: string, ids: string[]) =>
      sendBatch(
        url,
        ids.map((Id) => ({ Id, MessageBody: 'body' })),
      ),
    DeleteMessageBatch: (QueueUrl: string, ids: string[]) => {
      const Entries = ids.map((Id) => ({ Id, ReceiptHandle: 'handle' }));
      return target.client.send(new sdk.DeleteMessageBatchCommand({ QueueUrl, Entries }));
    },
    ChangeMessageVisibilityBatch: (QueueUrl: string, ids: string[]) => {
      const Entries = ids.map((Id) => ({ Id, ReceiptHandle: 'handle', VisibilityTimeout: 1 }));
      return target.client.send(new sdk.ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
    },
  };

  return {
    promise,
    queue,
    send,
    sendBatch,
    receive,
    receiveOne,
    remove,
    change,
    countsOf: (url: string) => target.countsOf(url),
    refused,
    batches,
    createQueue: (spec?: NewQueue) => target.createQueue(spec),
    command,
  };
}

export type Contract = ReturnType<typeof contract>;
