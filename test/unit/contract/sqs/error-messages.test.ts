import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { callForOne, type OpenService, openService } from './targets.ts';

/** The sentences of SQS as its users quote them. Some clients read them. */
const clock = new FakeClock();
let open: OpenService;
const urls = { standard: '', fifo: '' };
beforeAll(async () => {
  open = await openService({ clock });
  urls.standard = (await open.service.createQueue({ name: 'work' })).url;
  urls.fifo = (await open.service.createQueue({ name: 'work.fifo', fifo: true })).url;
});
afterAll(() => open.close());

const entries = (ids: readonly string[], more: object = {}) => ({
  Entries: ids.map((Id) => ({ Id, MessageBody: 'body', ...more })),
});
const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n));
const fifoMessage = { MessageBody: 'body', MessageGroupId: 'a', MessageDeduplicationId: 'd' };

test.each<[string, 'standard' | 'fifo' | 'none', object, string, string]>([
  [
    'SendMessage',
    'none',
    { MessageBody: 'body' },
    'MissingParameter',
    'The request must contain the parameter QueueUrl.',
  ],
  ['SendMessage', 'standard', {}, 'MissingParameter', 'The request must contain the parameter MessageBody.'],
  [
    'SendMessage',
    'standard',
    { MessageBody: 'x'.repeat(1_048_577) },
    'InvalidParameterValue',
    'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.',
  ],
  [
    'SendMessage',
    'standard',
    { MessageBody: 'body', DelaySeconds: 901 },
    'InvalidParameterValue',
    'Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.',
  ],
  [
    'SendMessage',
    'standard',
    { MessageBody: '\ud800' },
    'InvalidMessageContents',
    'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF.',
  ],
  [
    'SendMessage',
    'fifo',
    { ...fifoMessage, MessageGroupId: undefined },
    'MissingParameter',
    'The request must contain the parameter MessageGroupId.',
  ],
  [
    'SendMessage',
    'fifo',
    { ...fifoMessage, MessageDeduplicationId: undefined },
    'InvalidParameterValue',
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  ],
  [
    'SendMessage',
    'fifo',
    { ...fifoMessage, DelaySeconds: 5 },
    'InvalidParameterValue',
    'Value 5 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.',
  ],
  [
    'SendMessageBatch',
    'standard',
    { Entries: [] },
    'EmptyBatchRequest',
    'There should be at least one SendMessageBatchRequestEntry in the request.',
  ],
  [
    'SendMessageBatch',
    'standard',
    entries(ids(11)),
    'TooManyEntriesInBatchRequest',
    'Maximum number of entries per request are 10. You have sent 11.',
  ],
  ['SendMessageBatch', 'standard', entries(['a', 'a']), 'BatchEntryIdsNotDistinct', 'Id a repeated.'],
  [
    'SendMessageBatch',
    'standard',
    entries(['a.b']),
    'InvalidBatchEntryId',
    'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
  ],
  [
    'SendMessageBatch',
    'standard',
    entries(['a', 'b'], { MessageBody: 'x'.repeat(524_289) }),
    'BatchRequestTooLong',
    'Batch requests cannot be longer than 1048576 bytes. You have sent 1048578 bytes.',
  ],
  [
    'ReceiveMessage',
    'standard',
    { MaxNumberOfMessages: 11 },
    'InvalidParameterValue',
    'Value 11 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.',
  ],
  [
    'ReceiveMessage',
    'standard',
    { WaitTimeSeconds: 21 },
    'InvalidParameterValue',
    'Value 21 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided.',
  ],
])('%s on %s queue with %o: %s', async (operation, queue, input, name, message) => {
  const QueueUrl = queue === 'none' ? undefined : urls[queue];
  await expect(open.call(operation, { QueueUrl, ...input })).rejects.toMatchObject({ name, message });
});

describe('a failed entry of a batch', () => {
  const entryError = (operation: Parameters<typeof callForOne>[1], ReceiptHandle: string | undefined) =>
    callForOne(open.call, operation, { QueueUrl: urls.standard, ReceiptHandle, VisibilityTimeout: 1 });

  test.each([
    [undefined, 'MissingParameter', 'The request must contain the parameter ReceiptHandle.'],
    ['nonsense', 'ReceiptHandleIsInvalid', 'The input receipt handle "nonsense" is not a valid receipt handle.'],
  ])('has the sentence for the receipt handle %s', async (handle, name, message) => {
    for (const operation of ['DeleteMessageBatch', 'ChangeMessageVisibilityBatch'] as const)
      await expect(entryError(operation, handle)).rejects.toMatchObject({ name, message });
  });
});

test('a message is hidden for at most 12 hours after its receive, however often the timeout is extended', async () => {
  const QueueUrl = urls.standard;
  await open.call('SendMessage', { QueueUrl, MessageBody: 'body' });
  const { Messages } = await open.call('ReceiveMessage', { QueueUrl, VisibilityTimeout: 100 });
  const [{ ReceiptHandle } = {}] = Messages as { ReceiptHandle?: string }[];
  const change = (VisibilityTimeout: number) =>
    callForOne(open.call, 'ChangeMessageVisibilityBatch', { QueueUrl, ReceiptHandle, VisibilityTimeout });
  await change(43_200);
  clock.advance(60_000);
  await change(43_140);
  await expect(change(43_141)).rejects.toMatchObject({
    name: 'InvalidParameterValue',
    message:
      'Value 43141 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]',
  });
});

test('an unknown operation is refused', async () => {
  await expect(open.call('CreateQueue', { QueueName: 'new' })).rejects.toMatchObject({
    name: 'UnsupportedOperation',
  });
});
