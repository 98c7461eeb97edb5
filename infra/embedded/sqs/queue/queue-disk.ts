import type { Disk } from '../../disk/disk.ts';
import { DeduplicationRow } from './deduplication-row.ts';
import { JournalledMessages } from './journalled-messages.ts';
import type { Message } from './message.ts';
import type { MessageList } from './message-list.ts';
import { decodeMessage, decodeReceives, encodeMessage, encodeReceives } from './message-rows.ts';

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
  readonly #journalled: JournalledMessages;
  #nextNumber = 1;
  #reserved = 1;

  constructor(disk: Disk, queueName: string, messages: MessageList) {
    this.#disk = disk;
    this.#prefix = `q/${queueName}/`;
    this.#journalled = new JournalledMessages(messages, (kind, number) => this.#key(kind, number));
    disk.own(this.#journalled);
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

  /** Before the message joins the list of its queue. */
  putMessage(message: Message, body: string): void {
    const row = encodeMessage(message.facts, body);
    if (message.body !== undefined && this.#journalled.hasRoom) this.#journalled.add(message, row);
    else this.#disk.putNew(this.#key('m', message.number), row);
  }

  readBody(message: Message): string {
    const stored = this.#disk.get(this.#key('m', message.number));
    if (stored === undefined) throw new Error(`Message ${message.facts.id} is not on disk.`);
    return stored.slice(stored.indexOf('\n') + 1);
  }

  putReceives(message: Message): void {
    if (message.journalled === undefined) {
      const key = this.#key('r', message.number);
      if (message.receivesStored) this.#disk.put(key, encodeReceives(message));
      else this.#disk.putNew(key, encodeReceives(message));
    } else this.#journalled.changeReceives(message);
    message.receivesStored = true;
  }

  deleteMessage(message: Message): void {
    if (message.journalled === undefined) {
      this.#disk.del(this.#key('m', message.number));
      if (message.receivesStored) this.#disk.del(this.#key('r', message.number));
    } else this.#journalled.delete(message);
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
