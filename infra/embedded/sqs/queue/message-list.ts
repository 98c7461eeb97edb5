import type { Message } from './message.ts';

/** The messages of a queue, linked in the order of sending. */
export class MessageList {
  readonly #byNumber = new Map<number, Message>();
  #first: Message | undefined;
  #last: Message | undefined;

  get size(): number {
    return this.#byNumber.size;
  }

  get first(): Message | undefined {
    return this.#first;
  }

  get last(): Message | undefined {
    return this.#last;
  }

  get(number: number): Message | undefined {
    return this.#byNumber.get(number);
  }

  append(message: Message): void {
    message.previous = this.#last;
    if (this.#last) this.#last.next = message;
    else this.#first = message;
    this.#last = message;
    this.#byNumber.set(message.number, message);
  }

  remove(message: Message): void {
    this.#byNumber.delete(message.number);
    if (message.previous) message.previous.next = message.next;
    else this.#first = message.next;
    if (message.next) message.next.previous = message.previous;
    else this.#last = message.previous;
  }
}
