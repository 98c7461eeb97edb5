import { createHash } from 'node:crypto';
import { type Clock } from '../clock.ts';
import { type Disk } from '../disk.ts';
import { type Weather } from '../weather.ts';
import { type BodyBudget } from './bodies.ts';
import { DeduplicationWindow } from './deduplication-window.ts';
import { FifoOrder } from './fifo-order.ts';
import { Message, type MessageFacts } from './message.ts';
import { type Order } from './order.ts';
import { QueueDisk } from './queue-disk.ts';
import { type QueueSpec } from './queue-spec.ts';
import { StandardOrder } from './standard-order.ts';
import { WakeHeap } from './wake-heap.ts';

export interface QueueParts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly weather: Weather;
  readonly bodies: BodyBudget;
  /** The dead-letter queue of an ARN, once it exists. */
  readonly queueByArn: (arn: string) => Queue | undefined;
}

/**
 * The messages of one queue and where each stands. Every change is staged on disk in the same turn; the operations
 * commit before they answer, so nothing is acknowledged or handed out that a crash could take back.
 */
export class Queue {
  readonly spec: QueueSpec;
  readonly arn: string;
  readonly url: string;
  readonly createdAt: number;
  /** Marks this queue's receipt handles. */
  readonly tag: string;
  readonly deduplication: DeduplicationWindow;
  purgedAt = -Infinity;

  private readonly parts: QueueParts;
  private readonly stored: QueueDisk;
  private readonly order: Order;
  private readonly byNumber = new Map<number, Message>();
  private readonly later = new WakeHeap();
  private readonly watchers = new Set<() => void>();
  private first: Message | undefined;
  private last: Message | undefined;
  private inFlightCount = 0;
  private delayedCount = 0;
  private wake: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(spec: QueueSpec, { arn, url }: { arn: string; url: string }, parts: QueueParts) {
    this.spec = spec;
    this.arn = arn;
    this.url = url;
    this.parts = parts;
    this.createdAt = parts.clock.now();
    this.tag = createHash('sha256').update(arn).digest('base64url').slice(0, 8);
    this.stored = new QueueDisk(parts.disk, spec.name);
    this.deduplication = new DeduplicationWindow(this.stored);
    this.order = spec.fifo ? new FifoOrder(parts.weather) : new StandardOrder(parts.weather);
  }

  get inFlight(): number {
    this.catchUp();
    return this.inFlightCount;
  }

  get counts(): { readonly visible: number; readonly inFlight: number; readonly delayed: number } {
    this.catchUp();
    const waiting = this.inFlightCount + this.delayedCount;
    return {
      visible: this.byNumber.size - waiting,
      inFlight: this.inFlightCount,
      delayed: this.delayedCount,
    };
  }

  /** `releaseUnanswered`: nobody is left who could still be working on what was handed out before. */
  async load({ releaseUnanswered }: { releaseUnanswered: boolean }): Promise<void> {
    const { messages, deduplications } = await this.stored.load((size) => this.parts.bodies.take(size));
    const now = this.parts.clock.now();
    for (const message of messages) {
      const waits =
        message.visibleAt > now && !(releaseUnanswered && message.receives > 0 && !message.timeoutChosen);
      if (waits) message.state = message.receives > 0 ? 'inFlight' : 'delayed';
      this.append(message);
    }
    this.deduplication.load(deduplications);
  }

  get(number: number): Message | undefined {
    this.catchUp();
    return this.byNumber.get(number);
  }

  add(facts: MessageFacts, body: string, delaySeconds: number): Message {
    const message = new Message(
      this.stored.takeNumber(),
      facts,
      this.parts.bodies.take(facts.size) ? body : undefined,
    );
    this.stored.putMessage(message, body);
    if (delaySeconds > 0) {
      message.visibleAt = this.parts.clock.now() + delaySeconds * 1000;
      message.state = 'delayed';
      this.stored.putReceives(message);
    }
    this.append(message);
    if (message.state === 'visible') this.notify();
    return message;
  }

  /** Hands out up to `max` visible messages; those received too often before go to the dead-letter queue instead. */
  take(max: number, visibilitySeconds: number): Message[] {
    this.catchUp();
    const now = this.parts.clock.now();
    const taken: Message[] = [];
    while (taken.length < max) {
      const candidates = this.order.take(max - taken.length);
      if (candidates.length === 0) break;
      this.inFlightCount += candidates.length;
      for (const message of candidates) {
        if (this.isExpired(message, now)) this.remove(message);
        else if (!this.redrive(message)) {
          message.receives += 1;
          message.firstReceivedAt ||= now;
          message.receivedAt = now;
          message.visibleAt = now + visibilitySeconds * 1000;
          message.timeoutChosen = false;
          this.stored.putReceives(message);
          this.later.push(message);
          taken.push(message);
        }
      }
    }
    this.arm();
    return taken;
  }

  available(max: number): number {
    this.catchUp();
    return this.order.available(max);
  }

  /** Starts a new timeout for a message in flight; 0 makes it visible at once. */
  changeVisibility(message: Message, seconds: number): void {
    this.later.remove(message);
    message.visibleAt = this.parts.clock.now() + seconds * 1000;
    message.timeoutChosen = true;
    this.stored.putReceives(message);
    if (seconds === 0) {
      this.release(message);
      this.notify();
    } else {
      this.later.push(message);
      this.arm();
    }
  }

  remove(message: Message): void {
    if (message.state === 'gone') return;
    this.order.remove(message);
    if (message.state === 'inFlight') this.inFlightCount -= 1;
    if (message.state === 'delayed') this.delayedCount -= 1;
    message.state = 'gone';
    this.later.remove(message);
    this.byNumber.delete(message.number);
    if (message.previous) message.previous.next = message.next;
    else this.first = message.next;
    if (message.next) message.next.previous = message.previous;
    else this.last = message.previous;
    if (message.body !== undefined) this.parts.bodies.giveBack(message.facts.size);
    this.stored.deleteMessage(message);
    // On a FIFO queue the rest of its group may have waited for it.
    if (this.spec.fifo) this.notify();
  }

  purge(): void {
    for (const message of [...this.byNumber.values()]) this.remove(message);
  }

  bodyOf(message: Message): string {
    return message.body ?? this.stored.readBody(message);
  }

  /** Calls back whenever messages may have become receivable; the answer ends that. */
  watch(callback: () => void): () => void {
    this.watchers.add(callback);
    return () => {
      this.watchers.delete(callback);
    };
  }

  close(): void {
    this.wake?.cancel();
    this.wake = undefined;
    this.watchers.clear();
  }

  private append(message: Message): void {
    message.previous = this.last;
    if (this.last) this.last.next = message;
    else this.first = message;
    this.last = message;
    this.byNumber.set(message.number, message);
    this.order.add(message);
    if (message.state === 'visible') return;
    if (message.state === 'inFlight') this.inFlightCount += 1;
    else this.delayedCount += 1;
    this.later.push(message);
    this.arm();
  }

  private release(message: Message): void {
    const was = message.state;
    if (was === 'inFlight') this.inFlightCount -= 1;
    if (was === 'delayed') this.delayedCount -= 1;
    message.state = 'visible';
    this.order.release(message, was);
  }

  private redrive(message: Message): boolean {
    const policy = this.spec.redrivePolicy;
    if (!policy || message.receives < policy.maxReceiveCount) return false;
    const target = this.parts.queueByArn(policy.deadLetterTargetArn);
    if (!target) return false;
    const body = this.bodyOf(message);
    this.remove(message);
    // The retention of a standard queue goes on counting from the first sending, a FIFO queue's starts anew.
    const sentAt = this.spec.fifo ? this.parts.clock.now() : message.facts.sentAt;
    target.add({ ...message.facts, sentAt, deadLetterSource: this.arn }, body, 0);
    return true;
  }

  /** Does what time has brought since the last look: timeouts that passed, messages past their retention. */
  private catchUp(): void {
    const now = this.parts.clock.now();
    let released = false;
    for (let due = this.later.first; due && due.visibleAt <= now; due = this.later.first) {
      this.later.remove(due);
      this.release(due);
      released = true;
    }
    while (this.first && this.isExpired(this.first, now)) this.remove(this.first);
    if (released) this.notify();
  }

  private isExpired(message: Message, now: number): boolean {
    return message.facts.sentAt + this.spec.messageRetentionPeriod * 1000 <= now;
  }

  private arm(): void {
    const at = this.later.first?.visibleAt;
    if (at === undefined || (this.wake && this.wake.at <= at)) return;
    this.wake?.cancel();
    const cancel = this.parts.clock.wakeAt(at, () => {
      this.wake = undefined;
      this.catchUp();
      this.arm();
    });
    this.wake = { at, cancel };
  }

  private notify(): void {
    for (const watcher of this.watchers) watcher();
  }
}
