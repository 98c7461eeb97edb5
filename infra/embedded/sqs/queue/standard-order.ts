import type { Faults } from '../../faults.ts';
import type { Message } from './message.ts';
import type { Order } from './order.ts';
import type { ReceiveRoom } from './receive-room.ts';

/**
 * A standard queue promises no order. This one hands messages out by arrival and alternates between message groups, so
 * that a busy group does not delay the others (fair queues). Messages without a group count as one.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
 */
export class StandardOrder implements Order {
  readonly #faults: Faults;
  readonly #lines = new Map<string, Line>();
  #visible = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  add(message: Message): void {
    if (message.state === 'visible') this.release(message);
  }

  release(message: Message): void {
    const group = message.facts.group ?? '';
    let line = this.#lines.get(group);
    if (!line) {
      line = new Line();
      this.#lines.set(group, line);
    }
    line.push(message);
    this.#visible += 1;
  }

  remove(message: Message): void {
    // The message stays in its line; `take` skips it.
    if (message.state === 'visible') this.#visible -= 1;
  }

  take(room: ReceiveRoom): Message[] {
    const taken: Message[] = [];
    let refused = 0;
    // A line that moves to the end of the map is visited again.
    for (const [group, line] of this.#lines) {
      if (!room.isOpen || refused === room.groups) break;
      if (line.length > 1 && this.#faults.inject('reordered-message')) line.moveFirstBack();
      const message = line.first;
      if (message?.state === 'visible') {
        if (!room.take(message)) {
          refused += 1;
          continue;
        }
        message.state = 'inFlight';
        this.#visible -= 1;
        taken.push(message);
      }
      line.shift();
      this.#lines.delete(group);
      if (line.length > 0) this.#lines.set(group, line);
    }
    return taken;
  }

  available(max: number): number {
    return Math.min(max, this.#visible);
  }
}

/** A first-in-first-out line whose `shift` does not move the other items. */
class Line {
  #items: Message[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  get first(): Message | undefined {
    return this.#items[this.#head];
  }

  push(message: Message): void {
    this.#items.push(message);
  }

  shift(): Message | undefined {
    const message = this.#items[this.#head];
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return message;
  }

  moveFirstBack(): void {
    const message = this.shift();
    if (message) this.#items.push(message);
  }
}
