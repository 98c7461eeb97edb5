import { createHash, randomUUID } from 'node:crypto';
import { AwsError, type Output } from '../call.ts';
import { eachEntry, readEntries } from './batch.ts';
import { invalid, missing } from './errors.ts';
import { type Input, isRecord, optionalInteger, optionalText, requiredText } from './input.ts';
import { checkContents, checkId, checkSize, readAttributes, sizeOfAttributes } from './message-checks.ts';
import { type MessageAttributes, sequenceNumber } from './message.ts';
import { md5OfAttributes, md5OfBody } from './md5.ts';
import { type Operation, type OperationContext } from './operation.ts';
import { type Queue } from './queue.ts';

const BATCH_BYTES_AT_MOST = 1_048_576;
const NOT_FOR_THIS_QUEUE = 'The request include parameter that is not valid for this queue type.';
const DELAY = { from: 0, to: 900, reason: 'DelaySeconds must be >= 0 and <= 900.' };

export const sendMessage: Operation = async (queue, input, context) => {
  context.count(1);
  const output = send(queue, readDraft(input), context);
  await context.disk.commit();
  return output;
};

export const sendMessageBatch: Operation = async (queue, input, context) => {
  const entries = readEntries(input, 'SendMessageBatchRequestEntry');
  const total = entries.reduce((bytes, entry) => bytes + sizeOf(entry.input), 0);
  if (total > BATCH_BYTES_AT_MOST) {
    throw new AwsError(
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${BATCH_BYTES_AT_MOST} bytes. You have sent ${total} bytes.`,
    );
  }
  context.count(entries.length);
  const output = eachEntry(entries, context.weather, (entry) => {
    const sent = send(queue, readDraft(entry.input), context);
    return Object.defineProperty(sent, 'Id', { value: entry.id, enumerable: true });
  });
  await context.disk.commit();
  return output;
};

interface Draft {
  readonly input: Input;
  readonly body: string;
  readonly attributes: MessageAttributes | undefined;
  readonly size: number;
}

function readDraft(input: Input): Draft {
  const body = requiredText(input, 'MessageBody');
  const attributes =
    input['MessageAttributes'] === undefined ? undefined : readAttributes(input['MessageAttributes']);
  const size = Buffer.byteLength(body) + (attributes ? sizeOfAttributes(attributes) : 0);
  return { input, body, attributes, size };
}

function sizeOf({ MessageBody, MessageAttributes }: Input): number {
  const bytes = typeof MessageBody === 'string' ? Buffer.byteLength(MessageBody) : 0;
  try {
    return (
      bytes + (MessageAttributes === undefined ? 0 : sizeOfAttributes(readAttributes(MessageAttributes)))
    );
  } catch {
    return bytes; // its own entry answers for malformed attributes
  }
}

function send(
  queue: Queue,
  { input, body, attributes, size }: Draft,
  { clock, role }: OperationContext,
): Output {
  checkSize(size, queue.spec.maximumMessageSize);
  checkContents(body);
  const now = clock.now();
  const group = optionalText(input, 'MessageGroupId');
  if (group !== undefined) checkId('MessageGroupId', group);
  const delay = delayOf(queue, input);
  const deduplicationId = deduplicationIdOf(queue, input, { body, group });
  const key =
    queue.spec.deduplicationScope === 'messageGroup' ? `${group} ${deduplicationId}` : deduplicationId;
  const earlier =
    key === undefined || deduplicationId === undefined ? undefined : queue.deduplication.find(key, now);
  if (earlier)
    return sent(body, attributes, { id: earlier.id, sequenceNumber: sequenceNumber(earlier.number) });

  const id = randomUUID();
  const senderId = role.slice(role.lastIndexOf('/') + 1);
  const traceHeader = traceHeaderOf(input);
  const facts = { id, size, sentAt: now, senderId, group, deduplicationId, attributes, traceHeader };
  const message = queue.add(facts, body, delay);
  if (key !== undefined && deduplicationId !== undefined)
    queue.deduplication.remember(key, { number: message.number, id }, now);
  return sent(body, attributes, queue.spec.fifo ? { id, sequenceNumber: message.sequenceNumber } : { id });
}

function delayOf(queue: Queue, input: Input): number {
  const delay = optionalInteger(input, 'DelaySeconds', DELAY);
  if (delay !== undefined && delay > 0 && queue.spec.fifo)
    throw invalid('DelaySeconds', delay, NOT_FOR_THIS_QUEUE);
  return queue.spec.fifo ? queue.spec.delaySeconds : (delay ?? queue.spec.delaySeconds);
}

function deduplicationIdOf(
  queue: Queue,
  input: Input,
  { body, group }: { body: string; group: string | undefined },
): string | undefined {
  const given = optionalText(input, 'MessageDeduplicationId');
  if (!queue.spec.fifo) {
    if (given !== undefined) throw invalid('MessageDeduplicationId', given, NOT_FOR_THIS_QUEUE);
    return undefined;
  }
  if (group === undefined) throw missing('MessageGroupId');
  if (given !== undefined) {
    checkId('MessageDeduplicationId', given);
    return given;
  }
  if (queue.spec.contentBasedDeduplication) return createHash('sha256').update(body).digest('hex');
  throw new AwsError(
    'InvalidParameterValue',
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  );
}

function traceHeaderOf({ MessageSystemAttributes }: Input): string | undefined {
  if (!isRecord(MessageSystemAttributes)) return undefined;
  const { AWSTraceHeader, ...others } = MessageSystemAttributes;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new AwsError('InvalidParameterValue', `Message system attribute name '${other}' is invalid.`);
  }
  return isRecord(AWSTraceHeader) ? optionalText(AWSTraceHeader, 'StringValue') : undefined;
}

/** Digests are computed when they are looked at: only clients on the wire do. */
function sent(
  body: string,
  attributes: MessageAttributes | undefined,
  { id, sequenceNumber: SequenceNumber }: { id: string; sequenceNumber?: string },
): Output {
  const output = {
    MessageId: id,
    get MD5OfMessageBody() {
      return md5OfBody(body);
    },
  };
  if (SequenceNumber !== undefined) Object.assign(output, { SequenceNumber });
  if (attributes) {
    const get = () => md5OfAttributes(attributes);
    Object.defineProperty(output, 'MD5OfMessageAttributes', { get, enumerable: true });
  }
  return output;
}
