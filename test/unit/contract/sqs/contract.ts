import * as sdk from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewQueue, Target } from './targets.ts';

export interface ContractOptions {
  readonly open: () => Promise<Target>;
  /** Promises this target is known to break, by the test's title. Such a test must fail, or it leaves the list. */
  readonly differences?: ReadonlySet<string>;
}

export const MIB = 1_048_576;
export const all = { MessageSystemAttributeNames: ['All' as const], MessageAttributeNames: ['All'] };

/** One target under test, and short ways to talk to it. Call it inside of a `describe`. */
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
    return message ?? expect.fail('nothing was received');
  };
  const remove = (QueueUrl: string, ReceiptHandle: string | undefined) =>
    target.client.send(new sdk.DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  const change = (
    QueueUrl: string,
    ReceiptHandle: string | undefined,
    VisibilityTimeout: number | undefined,
  ) =>
    target.client.send(
      new sdk.ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }),
    );
  const attributes = async (QueueUrl: string, ...AttributeNames: sdk.QueueAttributeName[]) => {
    const output = await target.client.send(new sdk.GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
    return output.Attributes ?? {};
  };
  /** By name; the oracle gives errors without a model their query-era prefix. */
  const refused = async (answer: Promise<unknown>, name: string) => {
    const error: unknown = await answer
      .then(() => expect.fail(`it was not refused with ${name}`))
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
    attributes,
    refused,
    batches,
    createQueue: (spec?: NewQueue) => target.createQueue(spec),
    command,
  };
}

export type Contract = ReturnType<typeof contract>;
