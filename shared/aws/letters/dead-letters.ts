import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { createReceipts } from '../queue-receipts.ts';
import { sendAll } from '../queues.ts';

export interface QueueAddresses {
  url: string;
  deadLettersUrl: string;
}

const Received = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  Attributes: z.object({
    SentTimestamp: z.coerce.number(),
    MessageGroupId: z.string().optional(),
    SequenceNumber: z.string().optional(),
    DeadLetterQueueSourceArn: z.string().optional(),
  }),
  MessageAttributes: z.record(z.string(), z.object({ StringValue: z.string().optional() })).optional(),
});

/** A message in a dead-letter queue, hidden from other readers for {@link HIDDEN_SECONDS}. */
export interface DeadLetter {
  id: string;
  handle: string;
  body: string;
  /**
   * Epoch ms. A standard queue keeps the time of the first send; a FIFO queue has the time at which the message was set
   * aside.
   */
  sentAt: number;
  groupId: string | undefined;
  isFifo: boolean;
  /** SQS moved it, because it was received too often. */
  wasMoved: boolean;
  /** Attributes with a text, by name: the reason why a schedule's message was not sent. */
  attributes: ReadonlyMap<string, string>;
}

export interface DeadLetters {
  /** Receives up to ten messages. Empty: there are none, or other readers hide the rest. */
  receive(): Promise<DeadLetter[]>;
  /** Shows the messages to other readers again. */
  release(letters: readonly DeadLetter[]): Promise<void>;
  /** Sends the messages to their queue, then deletes them. An interruption leaves a message in both, which is safe. */
  redrive(letters: readonly DeadLetter[]): Promise<void>;
  drop(letters: readonly DeadLetter[]): Promise<void>;
}

/** Time for the work on all messages of a queue, of which twenty readers read thousands a second. */
const HIDDEN_SECONDS = 180;
/** Messages whose release is asked for at the same time. */
const RELEASED = 200;
/** A long poll asks every server of SQS, so an empty response means that no message is visible. */
const WAIT_SECONDS = 1;
const BATCH = 10;

export function createDeadLetters(sqs: () => SQSClient, { url, deadLettersUrl }: QueueAddresses): DeadLetters {
  const receipts = createReceipts(sqs, deadLettersUrl);
  const drop: DeadLetters['drop'] = (letters) => receipts.remove(letters.map(({ handle }) => handle));

  return {
    async receive() {
      const { Messages = [] } = await sqs().send(
        new ReceiveMessageCommand({
          QueueUrl: deadLettersUrl,
          MaxNumberOfMessages: BATCH,
          VisibilityTimeout: HIDDEN_SECONDS,
          WaitTimeSeconds: WAIT_SECONDS,
          MessageSystemAttributeNames: ['All'],
          MessageAttributeNames: ['All'],
        }),
      );
      return Messages.map((message) => letterOf(Received.parse(message)));
    },

    async release(letters) {
      for (let start = 0; start < letters.length; start += RELEASED) {
        const some = letters.slice(start, start + RELEASED);
        await receipts.release(some.map(({ handle }) => ({ handle, seconds: 0 })));
      }
    },

    async redrive(letters) {
      await sendAll({ sqs, queueUrl: url }, letters.map(messageOf));
      await drop(letters);
    },

    drop,
  };
}

const letterOf = ({
  MessageId,
  ReceiptHandle,
  Body,
  Attributes,
  MessageAttributes = {},
}: z.infer<typeof Received>): DeadLetter => ({
  id: MessageId,
  handle: ReceiptHandle,
  body: Body,
  sentAt: Attributes.SentTimestamp,
  groupId: Attributes.MessageGroupId,
  isFifo: Attributes.SequenceNumber !== undefined,
  wasMoved: Attributes.DeadLetterQueueSourceArn !== undefined,
  attributes: new Map(Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [name, StringValue])),
});

/** The trigger's own deduplication id would drop the message when it was first sent less than five minutes ago. */
export const messageOf = ({ id, body, groupId, isFifo }: Pick<DeadLetter, 'id' | 'body' | 'groupId' | 'isFifo'>) => ({
  body,
  ...(groupId === undefined ? {} : { groupId }),
  ...(isFifo ? { deduplicationId: `redrive-${id}` } : {}),
});
