import { AwsError } from '../call.ts';
import { optionalInteger, optionalTexts } from './input.ts';
import { md5OfAttributes, md5OfBody } from './md5.ts';
import { type Message, type MessageAttributes } from './message.ts';
import { type Operation } from './operation.ts';
import { type Queue } from './queue.ts';
import { receiptHandle } from './receipt-handle.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html */
export const IN_FLIGHT_AT_MOST = 120_000;

export const VISIBILITY = { from: 0, to: 43_200, reason: 'Must be between 0 and 43200, if provided.' };
const COUNT = { from: 1, to: 10, reason: 'Must be between 1 and 10, if provided.' };
const WAIT = { from: 0, to: 20, reason: 'Must be >= 0 and <= 20, if provided.' };

export const receiveMessage: Operation = async (queue, input, context) => {
  const max = optionalInteger(input, 'MaxNumberOfMessages', COUNT) ?? 1;
  const visibility = optionalInteger(input, 'VisibilityTimeout', VISIBILITY) ?? queue.spec.visibilityTimeout;
  const wait = optionalInteger(input, 'WaitTimeSeconds', WAIT) ?? queue.spec.receiveWaitTime;
  if (input['ReceiveRequestAttemptId'] !== undefined) {
    throw new AwsError('UnsupportedOperation', 'ReceiveRequestAttemptId is not supported here.');
  }
  const attributes = systemAttributes(input['MessageSystemAttributeNames'] ?? input['AttributeNames']);
  const names = optionalTexts(input, 'MessageAttributeNames');

  const until = context.clock.now() + wait * 1000;
  let taken = takeWithinQuota(queue, { max, visibility, isLongPoll: wait > 0 });
  while (taken.length === 0 && until > context.clock.now() && (await context.waitForMessages(queue, until))) {
    taken = takeWithinQuota(queue, { max, visibility, isLongPoll: true });
  }
  context.count(taken.length);
  if (taken.length === 0) {
    await context.disk.commit(); // messages may have gone to the dead-letter queue
    return {};
  }
  const Messages = taken.map((message) => received(queue, message, { attributes, names }));
  await context.disk.commit();
  return { Messages };
};

function takeWithinQuota(
  queue: Queue,
  { max, visibility, isLongPoll }: { max: number; visibility: number; isLongPoll: boolean },
): Message[] {
  const left = IN_FLIGHT_AT_MOST - queue.inFlight;
  if (left > 0) return queue.take(Math.min(max, left), visibility);
  if (queue.spec.fifo || isLongPoll) return [];
  throw new AwsError('OverLimit', 'The maximum number of in flight messages is reached.', {
    statusCode: 403,
  });
}

type Valuer = (message: Message) => string | undefined;

const systemAttributeValues: Readonly<Record<string, Valuer>> = {
  SenderId: ({ facts }) => facts.senderId,
  SentTimestamp: ({ facts }) => String(facts.sentAt),
  ApproximateReceiveCount: ({ receives }) => String(receives),
  ApproximateFirstReceiveTimestamp: ({ firstReceivedAt }) => String(firstReceivedAt),
  SequenceNumber: (message) =>
    message.facts.deduplicationId === undefined ? undefined : message.sequenceNumber,
  MessageDeduplicationId: ({ facts }) => facts.deduplicationId,
  MessageGroupId: ({ facts }) => facts.group,
  AWSTraceHeader: ({ facts }) => facts.traceHeader,
  DeadLetterQueueSourceArn: ({ facts }) => facts.deadLetterSource,
};

const allSystemAttributes = Object.entries(systemAttributeValues);

function systemAttributes(names: unknown): readonly [string, Valuer][] {
  if (names === undefined || names === null) return [];
  const wanted = optionalTexts({ AttributeNames: names }, 'AttributeNames');
  if (wanted.includes('All')) return allSystemAttributes;
  return wanted.map((name) => {
    const value = systemAttributeValues[name];
    if (!value) throw new AwsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
    return [name, value];
  });
}

function received(
  queue: Queue,
  message: Message,
  { attributes, names }: { attributes: readonly [string, Valuer][]; names: readonly string[] },
): object {
  const body = queue.bodyOf(message);
  const output: Record<string, unknown> = {
    MessageId: message.facts.id,
    ReceiptHandle: receiptHandle(queue, message),
    Body: body,
    get MD5OfBody() {
      return md5OfBody(body);
    },
  };
  if (attributes.length > 0) {
    const Attributes: Record<string, string> = {};
    for (const [name, valueOf] of attributes) {
      const value = valueOf(message);
      if (value !== undefined) Attributes[name] = value;
    }
    output['Attributes'] = Attributes;
  }
  const chosen =
    message.facts.attributes && names.length > 0 ? choose(message.facts.attributes, names) : undefined;
  if (chosen) {
    output['MessageAttributes'] = chosen;
    const get = () => md5OfAttributes(chosen);
    Object.defineProperty(output, 'MD5OfMessageAttributes', { get, enumerable: true });
  }
  return output;
}

/** `All` and `.*` mean all of them, `prefix.*` those that begin with it. */
function choose(attributes: MessageAttributes, names: readonly string[]): MessageAttributes | undefined {
  const isWanted = (name: string) =>
    names.some(
      (wanted) =>
        wanted === 'All' ||
        wanted === '.*' ||
        (wanted.endsWith('.*') ? name.startsWith(wanted.slice(0, -2)) : name === wanted),
    );
  const chosen = Object.entries(attributes).filter(([name]) => isWanted(name));
  if (chosen.length === 0) return undefined;
  const copied = chosen.map(([name, { BinaryValue, ...attribute }]) => [
    name,
    BinaryValue ? { ...attribute, BinaryValue: Uint8Array.from(BinaryValue) } : attribute,
  ]);
  return Object.fromEntries(copied);
}
