import { createHash, randomUUID } from 'node:crypto';
import { AwsError, type Input, type Output } from '../call.ts';
import type { Clock } from '../clock.ts';
import { invalidValue, missingParameter } from './errors.ts';
import { optionalInteger, optionalText, requiredText } from './input.ts';
import { checkContents, checkId, checkSize, readAttributes, sizeOfAttributes } from './message-checks.ts';
import { md5OfAttributes, md5OfBody } from './md5.ts';
import { type MessageAttributes, sequenceNumber } from './queue/message.ts';
import type { Queue } from './queue/queue.ts';

const NOT_FOR_THIS_QUEUE = 'The request include parameter that is not valid for this queue type.';
const DELAY = { from: 0, to: 900, reason: 'DelaySeconds must be >= 0 and <= 900.' };

/** A message to send, after the checks that need no queue. */
interface Draft {
  readonly input: Input;
  readonly body: string;
  readonly attributes: MessageAttributes | undefined;
  readonly size: number;
}

/** `bodyBytes`, if known, spares a second measurement of the body. */
export function readDraft(input: Input, bodyBytes = bodyBytesOf(input)): Draft {
  const body = requiredText(input, 'MessageBody');
  const attributes = input['MessageAttributes'] === undefined ? undefined : readAttributes(input['MessageAttributes']);
  const size = bodyBytes + (attributes ? sizeOfAttributes(attributes) : 0);
  return { input, body, attributes, size };
}

/** Bytes of the body in UTF-8, also of a draft that `readDraft` refuses. */
export const bodyBytesOf = ({ MessageBody }: Input): number =>
  typeof MessageBody === 'string' ? Buffer.byteLength(MessageBody) : 0;

/** Bytes of the attributes, also of a draft that `readDraft` refuses. */
export function attributeBytesOf({ MessageAttributes }: Input): number {
  try {
    return MessageAttributes === undefined ? 0 : sizeOfAttributes(readAttributes(MessageAttributes));
  } catch {
    // Malformed attributes fail their own entry, not the batch.
    return 0;
  }
}

/** Puts a message in its queue. The caller commits. */
export function send(queue: Queue, { input, body, attributes, size }: Draft, clock: Clock, role: string): Output {
  checkSize(size, queue.spec.maximumMessageSize);
  checkContents(body);
  const now = clock.now();
  const group = optionalText(input, 'MessageGroupId');
  if (group !== undefined) checkId('MessageGroupId', group);
  const delay = delayOf(queue, input);
  const deduplicationId = deduplicationIdOf(queue, input, { body, group });
  // Joined, not a template: a template would keep its parts in memory for five minutes, in addition to the text.
  const key = queue.spec.deduplicationScope === 'messageGroup' ? [group, deduplicationId].join(' ') : deduplicationId;
  const earlier = key === undefined || deduplicationId === undefined ? undefined : queue.deduplication.find(key, now);
  if (earlier) return sent(body, attributes, { id: earlier.id, sequenceNumber: sequenceNumber(earlier.number) });

  const id = randomUUID();
  const senderId = role.slice(role.lastIndexOf('/') + 1);
  const facts = { id, size, sentAt: now, senderId, group, deduplicationId, attributes };
  const message = queue.add(facts, body, delay);
  if (key !== undefined && deduplicationId !== undefined)
    queue.deduplication.remember(key, { number: message.number, id }, now);
  return sent(body, attributes, queue.spec.fifo ? { id, sequenceNumber: message.sequenceNumber } : { id });
}

function delayOf(queue: Queue, input: Input): number {
  const delay = optionalInteger(input, 'DelaySeconds', DELAY) ?? 0;
  if (delay > 0 && queue.spec.fifo) throw invalidValue('DelaySeconds', delay, NOT_FOR_THIS_QUEUE);
  return delay;
}

function deduplicationIdOf(
  queue: Queue,
  input: Input,
  { body, group }: { body: string; group: string | undefined },
): string | undefined {
  const explicit = optionalText(input, 'MessageDeduplicationId');
  if (!queue.spec.fifo) {
    if (explicit !== undefined) throw invalidValue('MessageDeduplicationId', explicit, NOT_FOR_THIS_QUEUE);
    return undefined;
  }
  if (group === undefined) throw missingParameter('MessageGroupId');
  if (explicit !== undefined) {
    checkId('MessageDeduplicationId', explicit);
    return explicit;
  }
  if (queue.spec.contentBasedDeduplication) return createHash('sha256').update(body).digest('hex');
  throw new AwsError(
    'InvalidParameterValue',
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  );
}

/** Digests are getters, because few callers read them. */
function sent(
  body: string,
  attributes: MessageAttributes | undefined,
  { id, sequenceNumber: SequenceNumber }: { id: string; sequenceNumber?: string },
): Output {
  const output: Output = {
    MessageId: id,
    get MD5OfMessageBody() {
      return md5OfBody(body);
    },
  };
  if (SequenceNumber !== undefined) output['SequenceNumber'] = SequenceNumber;
  if (attributes) {
    const get = () => md5OfAttributes(attributes);
    Object.defineProperty(output, 'MD5OfMessageAttributes', { get, enumerable: true });
  }
  return output;
}
