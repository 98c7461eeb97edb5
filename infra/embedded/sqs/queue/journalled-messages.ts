import type { DiskValue } from '../../disk/disk-value.ts';
import type { OwnedRows, WriteRow } from '../../disk/disk.ts';
import type { Message } from './message.ts';
import type { MessageList } from './message-list.ts';
import { encodeReceives } from './message-rows.ts';

/** Handing over this many takes a few milliseconds of the event loop. */
const MAX_MESSAGES = 4_096;

/**
 * The messages of a queue that only the journal has on disk. Most are deleted before the journal moves to the store.
 */
export class JournalledMessages implements OwnedRows {
  readonly #messages: MessageList;
  readonly #keyOf: (kind: 'm' | 'r', number: number) => string;
  #size = 0;
  #changed: Message[] = [];

  constructor(messages: MessageList, keyOf: (kind: 'm' | 'r', number: number) => string) {
    this.#messages = messages;
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#size;
  }

  get isChanged(): boolean {
    return this.#changed.length > 0;
  }

  get hasRoom(): boolean {
    return this.#size < MAX_MESSAGES;
  }

  add(message: Message, row: DiskValue): void {
    message.journalled = row;
    this.#size += 1;
    this.#change(message);
  }

  changeReceives(message: Message): void {
    message.receivesChanged = true;
    this.#change(message);
  }

  delete(message: Message): void {
    message.journalled = undefined;
    this.#size -= 1;
    this.#change(message);
  }

  writeChanges(write: WriteRow): void {
    for (const message of this.#changed) {
      const { number, journalled, isWritten } = message;
      if (journalled === undefined) {
        if (isWritten) write(this.#keyOf('m', number), undefined);
        if (isWritten && message.receivesStored) write(this.#keyOf('r', number), undefined);
      } else {
        if (!isWritten) write(this.#keyOf('m', number), journalled);
        if (message.receivesChanged) write(this.#keyOf('r', number), encodeReceives(message));
      }
    }
  }

  written(): void {
    for (const message of this.#changed) {
      message.isWritten = true;
      message.receivesChanged = false;
      message.isChanged = false;
    }
    this.#changed = [];
  }

  handOver(putNew: (key: string, value: DiskValue) => void): void {
    // They are among the last of the queue: all older ones were handed over.
    for (let message = this.#messages.last; message && this.#size > 0; message = message.previous) {
      if (message.journalled === undefined) continue;
      putNew(this.#keyOf('m', message.number), message.journalled);
      if (message.receivesStored) putNew(this.#keyOf('r', message.number), encodeReceives(message));
      message.journalled = undefined;
      this.#size -= 1;
    }
  }

  #change(message: Message): void {
    if (message.isChanged) return;
    message.isChanged = true;
    this.#changed.push(message);
  }
}
