import * as z from 'zod';
import type { Disk } from '../disk/disk.ts';
import { valueWithHead } from '../disk/disk-value.ts';
import { DeduplicationRow } from './deduplication-row.ts';
import { Message, type MessageFacts } from './message.ts';

/** Numbers are reserved in blocks of this size, so that no number is used twice after its message is deleted. */
const RESERVATION_SIZE = 65_536;
/** Digits of a number in a key. */
const NUMBER_LENGTH = 16;

interface StoredQueue {
  readonly messages: Message[];
  readonly deduplications: DeduplicationRow[];
}

/**
 * The keys of one queue on disk:
 * `m/<number>` a message (facts as JSON, a line feed, the body), written once;
 * `r/<number>` its receives, rewritten by each receive;
 * `d/<number>` deduplication ids that were first used in the same millisecond, by the number of their first message;
 * `n` the first number that was never reserved.
 */
export class QueueDisk {
  readonly #disk: Disk;
  readonly #prefix: string;
  #nextNumber = 1;
  #reserved = 1;

  constructor(disk: Disk, queueName: string) {
    this.#disk = disk;
    this.#prefix = `q/${queueName}/`;
  }

  takeNumber(): number {
    const number = this.#nextNumber;
    this.#nextNumber += 1;
    if (this.#nextNumber > this.#reserved) {
      this.#reserved = this.#nextNumber + RESERVATION_SIZE;
      this.#disk.put(`${this.#prefix}n`, String(this.#reserved));
    }
    return number;
  }

  putMessage(message: Message, body: string): void {
    this.#disk.putNew(this.#key('m', message.number), valueWithHead(`${encodeFacts(message.facts)}\n`, body));
  }

  readBody(message: Message): string {
    const stored = this.#disk.get(this.#key('m', message.number));
    if (stored === undefined) throw new Error(`Message ${message.facts.id} is not on disk.`);
    return stored.slice(stored.indexOf('\n') + 1);
  }

  putReceives(message: Message): void {
    const { receives, firstReceivedAt, visibleAt, timeoutChosen } = message;
    const key = this.#key('r', message.number);
    const value = `${receives} ${firstReceivedAt} ${visibleAt} ${timeoutChosen ? 1 : 0}`;
    if (message.receivesStored) this.#disk.put(key, value);
    else this.#disk.putNew(key, value);
    message.receivesStored = true;
  }

  deleteMessage(message: Message): void {
    this.#disk.del(this.#key('m', message.number));
    if (message.receivesStored) this.#disk.del(this.#key('r', message.number));
  }

  putDeduplications(row: DeduplicationRow): void {
    this.#disk.put(this.#key('d', row.number), row.encode());
  }

  readDeduplications(number: number): DeduplicationRow | undefined {
    const stored = this.#disk.get(this.#key('d', number));
    return stored === undefined ? undefined : DeduplicationRow.decode(number, stored);
  }

  deleteDeduplications(number: number): void {
    this.#disk.del(this.#key('d', number));
  }

  /** The queue as last committed. `mayKeep` decides whether a body stays in memory. */
  async load(mayKeep: (size: number) => boolean): Promise<StoredQueue> {
    const messages: Message[] = [];
    const byNumber = new Map<number, Message>();
    const deduplications: StoredQueue['deduplications'] = [];
    for await (const [key, value] of this.#disk.entries(this.#prefix)) {
      const kind = key.charAt(this.#prefix.length);
      const rest = key.slice(this.#prefix.length + 2);
      if (kind === 'n') this.#nextNumber = this.#reserved = Number(value);
      else if (kind === 'd') deduplications.push(this.#deduplicationsOf(rest, value));
      else if (kind === 'm') {
        const message = decodeMessage(Number(rest), value, mayKeep);
        messages.push(message);
        byNumber.set(message.number, message);
      } else if (kind === 'r') {
        const message = byNumber.get(Number(rest));
        if (message) decodeReceives(message, value);
      }
    }
    return { messages, deduplications };
  }

  /** A row of an older version is written again in the present form. */
  #deduplicationsOf(rest: string, value: string): DeduplicationRow {
    if (rest.length === NUMBER_LENGTH) return DeduplicationRow.decode(Number(rest), value);
    const row = DeduplicationRow.decodeOlder(rest, value);
    this.#disk.del(`${this.#prefix}d/${rest}`);
    this.putDeduplications(row);
    return row;
  }

  #key(kind: 'd' | 'm' | 'r', number: number): string {
    return `${this.#prefix}${kind}/${String(number).padStart(NUMBER_LENGTH, '0')}`;
  }
}

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

function decodeMessage(number: number, value: string, mayKeep: (size: number) => boolean): Message {
  const end = value.indexOf('\n');
  const { attributes, ...facts } = StoredFacts.parse(JSON.parse(value.slice(0, end)));
  const body = mayKeep(facts.size) ? value.slice(end + 1) : undefined;
  if (!attributes) return new Message(number, facts, body);
  const decoded = Object.entries(attributes).map(([name, { BinaryBase64, ...attribute }]) => [
    name,
    BinaryBase64 === undefined
      ? attribute
      : { ...attribute, BinaryValue: Buffer.from(BinaryBase64, 'base64') },
  ]);
  return new Message(number, { ...facts, attributes: Object.fromEntries(decoded) }, body);
}

function decodeReceives(message: Message, value: string): void {
  const [receives = 0, firstReceivedAt = 0, visibleAt = 0, chosen = 0] = value.split(' ').map(Number);
  message.receives = receives;
  message.firstReceivedAt = firstReceivedAt;
  message.visibleAt = visibleAt;
  message.timeoutChosen = chosen === 1;
  message.receivesStored = true;
}
