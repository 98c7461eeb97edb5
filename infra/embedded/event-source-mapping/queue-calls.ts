import { type Dispatch } from '../call.ts';
import { LATER } from '../sqs/operations/delete-message-batch.ts';
import { type BatchGrowth } from '../sqs/queue/receive-room.ts';
import { type ReceivedMessage } from './sqs-event.ts';

/** One queue, called with the function's own role. */
export interface CalledQueue {
  readonly dispatch: Dispatch;
  readonly role: string;
  readonly queueUrl: string;
}

/** A deletion that SQS refuses is tried again this often; what remains comes back after its visibility timeout. */
const DELETE_ROUNDS = 10;

export async function receiveBatch(
  { dispatch, role, queueUrl }: CalledQueue,
  max: number,
  growth: BatchGrowth | undefined,
): Promise<ReceivedMessage[]> {
  const input = {
    QueueUrl: queueUrl,
    MaxNumberOfMessages: max,
    WaitTimeSeconds: 0,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
    ...(growth && { Growth: growth }),
  };
  const { Messages = [] } = await dispatch({ role, service: 'SQS', operation: 'ReceiveMessage', input });
  return [...(Messages as ReceivedMessage[])];
}

export async function deleteMessages(queue: CalledQueue, messages: readonly ReceivedMessage[]): Promise<void> {
  const tens: Promise<void>[] = [];
  for (let start = 0; start < messages.length; start += 10)
    tens.push(deleteTen(queue, messages.slice(start, start + 10)));
  await Promise.all(tens);
}

async function deleteTen(
  { dispatch, role, queueUrl }: CalledQueue,
  messages: readonly ReceivedMessage[],
): Promise<void> {
  let entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  for (let round = 0; entries.length > 0 && round < DELETE_ROUNDS; round += 1) {
    const input = { QueueUrl: queueUrl, Entries: entries, Commit: LATER };
    const output = await dispatch({ role, service: 'SQS', operation: 'DeleteMessageBatch', input });
    const failed = (output['Failed'] ?? []) as { Id: string; SenderFault: boolean }[];
    const again = new Set(failed.filter(({ SenderFault }) => !SenderFault).map(({ Id }) => Id));
    entries = entries.filter(({ Id }) => again.has(Id));
  }
}
