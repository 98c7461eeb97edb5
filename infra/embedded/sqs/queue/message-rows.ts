import * as z from 'zod';
import { type DiskValue, valueWithHead } from '../../disk/disk-value.ts';
import { Message, type MessageFacts } from './message.ts';

const StoredFacts = z.object({
  id: z.string(),
  size: z.number(),
  sentAt: z.number(),
  senderId: z.string(),
  group: z.string().optional(),
  deduplicationId: z.string().optional(),
  deadLetterSource: z.string().optional(),
  attributes: z
    .record(
      z.string(),
      z.object({
        DataType: z.string(),
        StringValue: z.string().exactOptional(),
        BinaryBase64: z.string().exactOptional(),
      }),
    )
    .optional(),
});

function encodeFacts(facts: MessageFacts): string {
  if (!facts.attributes) return JSON.stringify(facts);
  const attributes = Object.entries(facts.attributes).map(([name, { BinaryValue, ...attribute }]) => [
    name,
    BinaryValue ? { ...attribute, BinaryBase64: Buffer.from(BinaryValue).toString('base64') } : attribute,
  ]);
  return JSON.stringify({ ...facts, attributes: Object.fromEntries(attributes) });
}

/** The facts as JSON, a line feed, and the body. */
export const encodeMessage = (facts: MessageFacts, body: string): DiskValue =>
  valueWithHead(`${encodeFacts(facts)}\n`, body);

/** `mayKeep` decides whether the body stays in memory. */
export function decodeMessage(number: number, value: string, mayKeep: (size: number) => boolean): Message {
  const end = value.indexOf('\n');
  const { attributes, ...facts } = StoredFacts.parse(JSON.parse(value.slice(0, end)));
  const body = mayKeep(facts.size) ? value.slice(end + 1) : undefined;
  if (!attributes) return new Message(number, facts, body);
  const decoded = Object.entries(attributes).map(([name, { BinaryBase64, ...attribute }]) => [
    name,
    BinaryBase64 === undefined ? attribute : { ...attribute, BinaryValue: Buffer.from(BinaryBase64, 'base64') },
  ]);
  return new Message(number, { ...facts, attributes: Object.fromEntries(decoded) }, body);
}

export const encodeReceives = ({ receives, firstReceivedAt, visibleAt, timeoutChosen }: Message): string =>
  `${receives} ${firstReceivedAt} ${visibleAt} ${timeoutChosen ? 1 : 0}`;

export function decodeReceives(message: Message, value: string): void {
  const [receives = 0, firstReceivedAt = 0, visibleAt = 0, chosen = 0] = value.split(' ').map(Number);
  message.receives = receives;
  message.firstReceivedAt = firstReceivedAt;
  message.visibleAt = visibleAt;
  message.timeoutChosen = chosen === 1;
  message.receivesStored = true;
}
