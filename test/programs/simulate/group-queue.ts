import { Fifo } from '../../../shared/lib/fifo.ts';

/**
 * SQS looks for messages that it may hand out among the oldest of a FIFO queue, those in flight included.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html
 */
export const WINDOW = 120_000;
const BATCH = 10;

/** A message of a group, with the position in the queue. */
export interface Message {
  readonly group: Group;
  readonly sentAt: number;
  readonly position: number;
  receives: number;
}

/** A message group. While a message of it is in flight, or waits for its visibility timeout, no other is received. */
export class Group {
  /** Messages that were given back; they come before the others. */
  #returned: Message[] = [];
  readonly #waiting = new Fifo<Message>();
  inFlight = 0;
  /** The first message is invisible until then, ms. */
  visibleAt = 0;

  get first(): Message | undefined {
    return this.#returned[0] ?? this.#waiting.first;
  }

  isReady(now: number): boolean {
    return this.inFlight === 0 && this.first !== undefined && this.visibleAt <= now;
  }

  push(message: Message): void {
    this.#waiting.push(message);
  }

  take(most: number): Message[] {
    const taken = this.#returned.splice(0, most);
    while (taken.length < most) {
      const next = this.#waiting.shift();
      if (!next) break;
      taken.push(next);
    }
    this.inFlight += taken.length;
    return taken;
  }

  giveBack(messages: readonly Message[], visibleAt: number): void {
    this.#returned.unshift(...messages);
    this.inFlight -= messages.length;
    this.visibleAt = visibleAt;
  }
}

/** A FIFO queue of SQS with message groups. */
export class GroupQueue {
  readonly #groups = new Set<Group>();
  readonly #beyond = new Fifo<Message>();
  #inWindow = 0;
  #sent = 0;
  #mostMessages = 0;

  /** Messages that were sent and not deleted. */
  get length(): number {
    return this.#inWindow + this.#beyond.length;
  }

  get mostMessages(): number {
    return this.#mostMessages;
  }

  send(group: Group, sentAt: number): Message {
    const message = { group, sentAt, position: this.#sent, receives: 0 };
    this.#beyond.push(message);
    this.#sent += 1;
    this.#fill();
    this.#mostMessages = Math.max(this.#mostMessages, this.length);
    return message;
  }

  /** Up to ten messages: as many as possible of the group whose message is the oldest, then of the next one. */
  receive(now: number): Message[] {
    const positionOf = (group: Group) => group.first?.position ?? Infinity;
    const ready = [...this.#groups].filter((group) => group.isReady(now));
    const received: Message[] = [];
    for (const group of ready.sort((a, b) => positionOf(a) - positionOf(b))) {
      if (received.length === BATCH) break;
      received.push(...group.take(BATCH - received.length));
    }
    for (const message of received) message.receives += 1;
    return received;
  }

  /** Gives messages of one group back, in their order. The first of them is received again after `visibleAt`. */
  giveBack(messages: readonly Message[], visibleAt: number): void {
    messages[0]?.group.giveBack(messages, visibleAt);
  }

  delete({ group }: Message): void {
    group.inFlight -= 1;
    if (group.inFlight === 0 && group.first === undefined) this.#groups.delete(group);
    this.#inWindow -= 1;
    this.#fill();
  }

  #fill(): void {
    while (this.#inWindow < WINDOW) {
      const next = this.#beyond.shift();
      if (!next) return;
      this.#inWindow += 1;
      next.group.push(next);
      this.#groups.add(next.group);
    }
  }
}
