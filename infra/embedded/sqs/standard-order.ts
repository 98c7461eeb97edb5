import { type Weather } from '../weather.ts';
import { type Message } from './message.ts';
import { type Order } from './order.ts';

/**
 * No order is promised; it is by arrival, but message groups take turns, so that a busy one does not keep the others
 * waiting (fair queues).
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
 */
export class StandardOrder implements Order {
  private readonly weather: Weather;
  private readonly lines = new Map<string, Line>();
  private visible = 0;

  constructor(weather: Weather) {
    this.weather = weather;
  }

  add(message: Message): void {
    if (message.state === 'visible') this.release(message);
  }

  release(message: Message): void {
    const group = message.facts.group ?? '';
    let line = this.lines.get(group);
    if (!line) {
      line = new Line();
      this.lines.set(group, line);
    }
    line.push(message);
    this.visible += 1;
  }

  remove(message: Message): void {
    // It stays in its line until it is reached there, and is passed over.
    if (message.state === 'visible') this.visible -= 1;
  }

  take(max: number): Message[] {
    const taken: Message[] = [];
    while (taken.length < max) {
      const turn = this.lines.entries().next();
      if (turn.done) break;
      const [group, line] = turn.value;
      if (line.length > 1 && this.weather.strikes('reordered-message')) line.moveFirstBack();
      const message = line.shift();
      if (this.lines.size > 1 || line.length === 0) {
        this.lines.delete(group);
        if (line.length > 0) this.lines.set(group, line);
      }
      if (message?.state !== 'visible') continue;
      message.state = 'inFlight';
      this.visible -= 1;
      taken.push(message);
    }
    return taken;
  }

  available(max: number): number {
    return Math.min(max, this.visible);
  }
}

/** A first-in-first-out line whose `shift` does not move the rest. */
class Line {
  private items: Message[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  push(message: Message): void {
    this.items.push(message);
  }

  shift(): Message | undefined {
    const message = this.items[this.head];
    this.head += 1;
    if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return message;
  }

  moveFirstBack(): void {
    const message = this.shift();
    if (message) this.items.push(message);
  }
}
