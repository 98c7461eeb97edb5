import type { Message } from './message.ts';

/**
 * A heap of the messages that become visible later, earliest first. Each message holds its index, so that a deleted
 * message leaves the heap: most messages in flight are deleted long before their timeout.
 */
export class WakeHeap {
  readonly #items: Message[] = [];

  get first(): Message | undefined {
    return this.#items[0];
  }

  push(message: Message): void {
    this.#items.push(message);
    this.#rise(message, this.#items.length - 1);
  }

  remove(message: Message): void {
    const index = message.wakeIndex;
    if (index < 0) return;
    message.wakeIndex = -1;
    const last = this.#items.pop();
    if (!last || last === message) return;
    this.#rise(last, index);
    if (last.wakeIndex === index) this.#sink(last, index);
  }

  #rise(message: Message, from: number): void {
    let index = from;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#items[parentIndex];
      if (!parent || parent.visibleAt <= message.visibleAt) break;
      this.#put(parent, index);
      index = parentIndex;
    }
    this.#put(message, index);
  }

  #sink(message: Message, from: number): void {
    let index = from;
    for (;;) {
      const left = this.#items[2 * index + 1];
      const right = this.#items[2 * index + 2];
      const child = right && left && right.visibleAt < left.visibleAt ? right : left;
      if (!child || child.visibleAt >= message.visibleAt) break;
      const childIndex = child.wakeIndex;
      this.#put(child, index);
      index = childIndex;
    }
    this.#put(message, index);
  }

  #put(message: Message, index: number): void {
    this.#items[index] = message;
    message.wakeIndex = index;
  }
}
