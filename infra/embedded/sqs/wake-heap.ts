import { type Message } from './message.ts';

/**
 * Messages that become visible later, earliest first. Each message knows its place, so that deleting one takes it out:
 * almost every message in flight is deleted long before its timeout.
 */
export class WakeHeap {
  private readonly items: Message[] = [];

  get first(): Message | undefined {
    return this.items[0];
  }

  push(message: Message): void {
    this.items.push(message);
    this.rise(message, this.items.length - 1);
  }

  remove(message: Message): void {
    const index = message.wakeIndex;
    if (index < 0) return;
    message.wakeIndex = -1;
    const last = this.items.pop();
    if (!last || last === message) return;
    this.rise(last, index);
    if (last.wakeIndex === index) this.sink(last, index);
  }

  private rise(message: Message, from: number): void {
    let index = from;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.items[parentIndex];
      if (!parent || parent.visibleAt <= message.visibleAt) break;
      this.place(parent, index);
      index = parentIndex;
    }
    this.place(message, index);
  }

  private sink(message: Message, from: number): void {
    let index = from;
    for (;;) {
      const left = this.items[2 * index + 1];
      const right = this.items[2 * index + 2];
      const child = right && left && right.visibleAt < left.visibleAt ? right : left;
      if (!child || child.visibleAt >= message.visibleAt) break;
      const childIndex = child.wakeIndex;
      this.place(child, index);
      index = childIndex;
    }
    this.place(message, index);
  }

  private place(message: Message, index: number): void {
    this.items[index] = message;
    message.wakeIndex = index;
  }
}
