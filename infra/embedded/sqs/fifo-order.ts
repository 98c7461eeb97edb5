import { type Weather } from '../weather.ts';
import { type Message, type MessageState } from './message.ts';
import { type Order } from './order.ts';

/**
 * SQS looks for groups only among the first 120,000 messages of the backlog.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-fifo.html
 */
export const LOOKED_AT = 120_000;

interface Group {
  first: Message | undefined;
  last: Message | undefined;
  inFlight: number;
}

/** Strict order within a group; nothing of a group is handed out while any of its messages is in flight. */
export class FifoOrder implements Order {
  private readonly weather: Weather;
  private readonly groups = new Map<string, Group>();
  /** Groups whose first message may be handed out, in the order in which they became so. */
  private readonly ready = new Set<Group>();
  private lookedAt = 0;
  /** The last message that is looked at. */
  private horizon: Message | undefined;

  constructor(weather: Weather) {
    this.weather = weather;
  }

  add(message: Message): void {
    const group = this.groupOf(message);
    message.groupPrevious = group.last;
    if (group.last) group.last.groupNext = message;
    else group.first = message;
    group.last = message;
    if (message.state === 'inFlight') group.inFlight += 1;
    if (this.lookedAt < LOOKED_AT) {
      this.lookedAt += 1;
      this.horizon = message;
    }
    if (group.first === message || message.state === 'inFlight') this.refresh(group);
  }

  release(message: Message, was: MessageState): void {
    const group = this.groupOf(message);
    if (was === 'inFlight') group.inFlight -= 1;
    this.refresh(group);
  }

  remove(message: Message): void {
    const group = this.groupOf(message);
    if (message.state === 'inFlight') group.inFlight -= 1;
    if (message.groupPrevious) message.groupPrevious.groupNext = message.groupNext;
    else group.first = message.groupNext;
    if (message.groupNext) message.groupNext.groupPrevious = message.groupPrevious;
    else group.last = message.groupPrevious;
    if (!group.first) this.groups.delete(message.facts.group ?? '');
    this.lookFurther(message);
    this.refresh(group);
  }

  take(max: number): Message[] {
    const mixed = max > 1 && this.ready.size > 1 && this.weather.strikes('mixed-groups');
    const share = mixed ? Math.ceil(max / Math.min(this.ready.size, 3)) : max;
    const taken: Message[] = [];
    for (const group of this.ready) {
      if (taken.length >= max) break;
      const end = Math.min(max, taken.length + share);
      for (let message = group.first; message; message = message.groupNext) {
        if (taken.length >= end || !this.mayTake(message)) break;
        message.state = 'inFlight';
        group.inFlight += 1;
        taken.push(message);
      }
      this.ready.delete(group);
    }
    return taken;
  }

  available(max: number): number {
    let count = 0;
    for (const group of this.ready) {
      for (let message = group.first; message && this.mayTake(message); message = message.groupNext) {
        count += 1;
        if (count >= max) return max;
      }
    }
    return count;
  }

  private refresh(group: Group): void {
    if (group.inFlight === 0 && group.first && this.mayTake(group.first)) this.ready.add(group);
    else this.ready.delete(group);
  }

  private mayTake(message: Message): boolean {
    return message.state === 'visible' && this.horizon !== undefined && message.number <= this.horizon.number;
  }

  /** A message among those looked at leaves: one more of the backlog comes into sight. */
  private lookFurther(leaving: Message): void {
    const horizon = this.horizon;
    if (!horizon || leaving.number > horizon.number) return;
    if (horizon.next) {
      this.horizon = horizon.next;
      const group = this.groupOf(horizon.next);
      if (group.first === horizon.next) this.refresh(group);
      return;
    }
    this.lookedAt -= 1;
    if (leaving === horizon) this.horizon = horizon.previous;
  }

  private groupOf(message: Message): Group {
    const name = message.facts.group ?? '';
    let group = this.groups.get(name);
    if (!group) {
      group = { first: undefined, last: undefined, inFlight: 0 };
      this.groups.set(name, group);
    }
    return group;
  }
}
