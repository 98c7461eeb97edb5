import { unknownAttribute } from './errors.ts';
import { optionalTexts } from './input.ts';
import { md5OfAttributes, md5OfBody } from './md5.ts';
import type { Message, MessageAttributes } from './queue/message.ts';
import type { Queue } from './queue/queue.ts';
import { receiptHandle } from './receipt-handle.ts';

/** The name of a system attribute, and its value for a message. */
type SystemAttribute = readonly [name: string, valueOf: (message: Message) => string | undefined];

const systemAttributes: Readonly<Record<string, SystemAttribute[1]>> = {
  SenderId: ({ facts }) => facts.senderId,
  SentTimestamp: ({ facts }) => String(facts.sentAt),
  ApproximateReceiveCount: ({ receives }) => String(receives),
  ApproximateFirstReceiveTimestamp: ({ firstReceivedAt }) => String(firstReceivedAt),
  SequenceNumber: (message) => (message.facts.deduplicationId === undefined ? undefined : message.sequenceNumber),
  MessageDeduplicationId: ({ facts }) => facts.deduplicationId,
  MessageGroupId: ({ facts }) => facts.group,
  DeadLetterQueueSourceArn: ({ facts }) => facts.deadLetterSource,
};

const allSystemAttributes = Object.entries(systemAttributes);

export function systemAttributesNamed(names: unknown): readonly SystemAttribute[] {
  if (names === undefined || names === null) return [];
  const requested = optionalTexts({ AttributeNames: names }, 'AttributeNames');
  if (requested.includes('All')) return allSystemAttributes;
  return requested.map((name) => {
    const valueOf = Object.hasOwn(systemAttributes, name) ? systemAttributes[name] : undefined;
    if (!valueOf) throw unknownAttribute(name);
    return [name, valueOf];
  });
}

/** A message as `ReceiveMessage` returns it. Digests are getters, because few callers read them. */
export function receivedMessage(
  queue: Queue,
  message: Message,
  { attributes, names }: { attributes: readonly SystemAttribute[]; names: readonly string[] },
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
  const chosen = message.facts.attributes && names.length > 0 ? choose(message.facts.attributes, names) : undefined;
  if (chosen) {
    output['MessageAttributes'] = chosen;
    const get = () => md5OfAttributes(chosen);
    Object.defineProperty(output, 'MD5OfMessageAttributes', { get, enumerable: true });
  }
  return output;
}

/** `All` and `.*` choose all attributes, `prefix.*` those that start with the prefix. */
function choose(attributes: MessageAttributes, names: readonly string[]): MessageAttributes | undefined {
  const isRequested = (attribute: string) =>
    names.some(
      (name) =>
        name === 'All' ||
        name === '.*' ||
        (name.endsWith('.*') ? attribute.startsWith(name.slice(0, -2)) : attribute === name),
    );
  const chosen = Object.entries(attributes).filter(([name]) => isRequested(name));
  if (chosen.length === 0) return undefined;
  const copied = chosen.map(([name, { BinaryValue, ...attribute }]) => [
    name,
    BinaryValue ? { ...attribute, BinaryValue: Uint8Array.from(BinaryValue) } : attribute,
  ]);
  return Object.fromEntries(copied);
}
