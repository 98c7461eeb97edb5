import type { Faults } from '../../faults.ts';
import type { Message, MessageState } from './message.ts';
import type { Order } from './order.ts';
import type { ReceiveRoom } from './receive-room.ts';

/**
 * SQS looks for available groups only among the first 120,000 messages of the backlog.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-fifo.html
 */
const MAX_LOOKED_AT = 120_000;

interface Group {
  first: Message | undefined;
  last: Message | undefined;
  inFlight: number;
}

/** Strict order within a group. A group hands out nothing while one of its messages is in flight. */
export class FifoOrder implements Order {
  readonly #faults: Faults;
  readonly #groups = new Map<string, Group>();
  /** Groups whose first message may be handed out, in the order in which they became ready. */
  readonly #ready = new Set<Group>();
  #lookedAt = 0;
  /** The last of the messages among which SQS looks for groups. */
  #horizon: Message | undefined;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  add(message: Message): void {
    const group = this.#groupOf(message);
    message.groupPrevious = group.last;
    if (group.last) group.last.groupNext = message;
    else group.first = message;
    group.last = message;
    if (message.state === 'inFlight') group.inFlight += 1;
    if (this.#lookedAt < MAX_LOOKED_AT) {
      this.#lookedAt += 1;
      this.#horizon = message;
    }
    if (group.first === message || message.state === 'inFlight') this.#refresh(group);
  }

  release(message: Message, was: MessageState): void {
    const group = this.#groupOf(message);
    if (was === 'inFlight') group.inFlight -= 1;
    this.#refresh(group);
  }

  remove(message: Message): void {
    const group = this.#groupOf(message);
    if (message.state === 'inFlight') group.inFlight -= 1;
    if (message.groupPrevious) message.groupPrevious.groupNext = message.groupNext;
    else group.first = message.groupNext;
    if (message.groupNext) message.groupNext.groupPrevious = message.groupPrevious;
    else group.last = message.groupPrevious;
    if (!group.first) this.#groups.delete(message.facts.group ?? '');
    this.#lookFurther(message);
    this.#refresh(group);
  }

  take(room: ReceiveRoom): Message[] {
    const mixed = room.max > 1 && this.#ready.size > 1 && this.#faults.inject('mixed-groups');
    const share = mixed ? Math.ceil(room.max / Math.min(this.#ready.size, 3)) : Infinity;
    const taken: Message[] = [];
    let looked = 0;
    for (const group of this.#ready) {
      if (!room.isOpen || looked === room.groups) break;
      looked += 1;
      for (let message = group.first; message; message = message.groupNext) {
        if (group.inFlight >= share || !this.#mayTake(message) || !room.take(message)) break;
        message.state = 'inFlight';
        group.inFlight += 1;
        taken.push(message);
      }
      if (group.inFlight > 0) this.#ready.delete(group);
    }
    return taken;
  }

  available(max: number): number {
    let count = 0;
    for (const group of this.#ready) {
      for (let message = group.first; message && this.#mayTake(message); message = message.groupNext) {
        count += 1;
        if (count >= max) return max;
      }
    }
    return count;
  }

  #refresh(group: Group): void {
    if (group.inFlight === 0 && group.first && this.#mayTake(group.first)) this.#ready.add(group);
    else this.#ready.delete(group);
  }

  #mayTake(message: Message): boolean {
    return message.state === 'visible' && this.#horizon !== undefined && message.number <= this.#horizon.number;
  }

  /** A message before the horizon leaves: the horizon moves on by one message. */
  #lookFurther(leaving: Message): void {
    const horizon = this.#horizon;
    if (!horizon || leaving.number > horizon.number) return;
    if (horizon.next) {
      this.#horizon = horizon.next;
      const group = this.#groupOf(horizon.next);
      if (group.first === horizon.next) this.#refresh(group);
      return;
    }
    this.#lookedAt -= 1;
    if (leaving === horizon) this.#horizon = horizon.previous;
  }

  #groupOf(message: Message): Group {
    const name = message.facts.group ?? '';
    let group = this.#groups.get(name);
    if (!group) {
      group = { first: undefined, last: undefined, inFlight: 0 };
      this.#groups.set(name, group);
    }
    return group;
  }
}
