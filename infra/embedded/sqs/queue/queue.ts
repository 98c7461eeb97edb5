import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Faults } from '../../faults.ts';
import type { BodyBudget } from './body-budget.ts';
import { DeduplicationWindow } from './deduplication-window.ts';
import { FifoOrder } from './fifo-order.ts';
import { Message, type MessageFacts } from './message.ts';
import { MessageList } from './message-list.ts';
import type { Order } from './order.ts';
import { QueueDisk } from './queue-disk.ts';
import type { QueueSpec } from '../queue-spec.ts';
import { ReceiveRoom } from './receive-room.ts';
import { StandardOrder } from './standard-order.ts';
import { WakeHeap } from './wake-heap.ts';
import { WakeTimer } from '../../wake-timer.ts';

interface QueueOptions {
  readonly spec: QueueSpec;
  readonly arn: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly bodies: BodyBudget;
  /** Finds the dead-letter queue, once it exists. */
  readonly queueByArn: (arn: string) => Queue | undefined;
}

const POISON_RECEIVES = 3;

export interface MessageCounts {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

/**
 * The messages of one queue and their states. Every change is staged on disk at once. The operations commit before they
 * answer, so a crash takes back nothing that was acknowledged or handed out.
 */
export class Queue {
  readonly spec: QueueSpec;
  readonly arn: string;
  /** Part of this queue's receipt handles. */
  readonly tag: string;
  readonly deduplication: DeduplicationWindow;

  readonly #options: QueueOptions;
  readonly #stored: QueueDisk;
  readonly #order: Order;
  readonly #messages = new MessageList();
  readonly #later = new WakeHeap();
  readonly #timer: WakeTimer;
  readonly #watchers = new Set<() => void>();
  /** Sizes of all messages. */
  #bytes = 0;
  #inFlightCount = 0;
  #delayedCount = 0;

  constructor(options: QueueOptions) {
    const { spec, arn, disk, clock, faults } = options;
    this.#options = options;
    this.spec = spec;
    this.arn = arn;
    this.tag = createHash('sha256').update(arn).digest('base64url').slice(0, 8);
    this.#stored = new QueueDisk(disk, spec.name, this.#messages);
    this.deduplication = new DeduplicationWindow(this.#stored);
    this.#order = spec.fifo ? new FifoOrder(faults) : new StandardOrder(faults);
    this.#timer = new WakeTimer(clock, () => {
      this.#catchUp();
      this.#arm();
    });
  }

  get inFlight(): number {
    this.#catchUp();
    return this.#inFlightCount;
  }

  get counts(): MessageCounts {
    this.#catchUp();
    const waiting = this.#inFlightCount + this.#delayedCount;
    return {
      visible: this.#messages.size - waiting,
      inFlight: this.#inFlightCount,
      delayed: this.#delayedCount,
    };
  }

  /**
   * The time of the oldest message by which SQS measures a queue. A standard queue leaves out messages that were
   * received three times.
   * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
   */
  get oldestSentAt(): number | undefined {
    this.#catchUp();
    let oldest = this.#messages.first;
    while (oldest && !this.spec.fifo && oldest.receives >= POISON_RECEIVES) oldest = oldest.next;
    return oldest?.facts.sentAt;
  }

  /** `releaseUnanswered` makes messages visible that were in flight: their consumers ended with the process. */
  async load({ releaseUnanswered }: { releaseUnanswered: boolean }): Promise<void> {
    const { messages, deduplications } = await this.#stored.load((size) => this.#options.bodies.take(size));
    const now = this.#options.clock.now();
    for (const message of messages) {
      const waits = message.visibleAt > now && !(releaseUnanswered && message.receives > 0 && !message.timeoutChosen);
      if (waits) message.state = message.receives > 0 ? 'inFlight' : 'delayed';
      this.#append(message);
    }
    this.deduplication.load(deduplications, now);
  }

  get(number: number): Message | undefined {
    this.#catchUp();
    return this.#messages.get(number);
  }

  add(facts: MessageFacts, body: string, delaySeconds: number): Message {
    const message = new Message(
      this.#stored.takeNumber(),
      facts,
      this.#options.bodies.take(facts.size) ? body : undefined,
    );
    this.#stored.putMessage(message, body);
    if (delaySeconds > 0) {
      message.visibleAt = this.#options.clock.now() + delaySeconds * 1000;
      message.state = 'delayed';
      this.#stored.putReceives(message);
    }
    this.#append(message);
    this.#dropBeyond(this.spec.keptBytes ?? Infinity);
    if (message.state === 'visible') this.#notify();
    return message;
  }

  /** Hands out visible messages that have room. Messages that were received too often go to the dead-letter queue. */
  take(room: ReceiveRoom, visibilitySeconds: number): Message[] {
    this.#catchUp();
    const now = this.#options.clock.now();
    const taken: Message[] = [];
    while (room.isOpen) {
      const candidates = this.#order.take(room);
      if (candidates.length === 0) break;
      this.#inFlightCount += candidates.length;
      for (const message of candidates) {
        if (this.#isExpired(message, now)) {
          room.giveBack(message);
          this.remove(message);
        } else if (this.#redrive(message)) room.giveBack(message);
        else {
          message.receives += 1;
          message.firstReceivedAt ||= now;
          message.receivedAt = now;
          message.visibleAt = now + visibilitySeconds * 1000;
          message.timeoutChosen = false;
          this.#stored.putReceives(message);
          this.#later.push(message);
          taken.push(message);
        }
      }
    }
    this.#arm();
    return taken;
  }

  /** Moves up to so many visible messages, as new ones. Returns how many. */
  moveTo(target: Queue, max: number): number {
    const moved = this.take(new ReceiveRoom(max), 1);
    for (const message of moved) {
      const body = this.bodyOf(message);
      this.remove(message);
      const [id, sentAt] = [randomUUID(), this.#options.clock.now()];
      target.add({ ...message.facts, id, sentAt, deadLetterSource: undefined }, body, 0);
    }
    return moved.length;
  }

  available(max: number): number {
    this.#catchUp();
    return this.#order.available(max);
  }

  /** Starts a new timeout for a message in flight. 0 makes the message visible at once. */
  changeVisibility(message: Message, seconds: number): void {
    this.#later.remove(message);
    message.visibleAt = this.#options.clock.now() + seconds * 1000;
    message.timeoutChosen = true;
    this.#stored.putReceives(message);
    if (seconds === 0) {
      this.#release(message);
      this.#notify();
    } else {
      this.#later.push(message);
      this.#arm();
    }
  }

  remove(message: Message): void {
    if (message.state === 'gone') return;
    this.#order.remove(message);
    if (message.state === 'inFlight') this.#inFlightCount -= 1;
    if (message.state === 'delayed') this.#delayedCount -= 1;
    message.state = 'gone';
    this.#bytes -= message.facts.size;
    this.#later.remove(message);
    this.#messages.remove(message);
    if (message.body !== undefined) this.#options.bodies.giveBack(message.facts.size);
    message.letGo();
    this.#stored.deleteMessage(message);
    // On a FIFO queue the rest of the group may have waited for this message.
    if (this.spec.fifo) this.#notify();
  }

  bodyOf(message: Message): string {
    return message.body ?? this.#stored.readBody(message);
  }

  /** Calls back whenever messages may have become receivable. The returned function ends the watch. */
  watch(callback: () => void): () => void {
    this.#watchers.add(callback);
    return () => {
      this.#watchers.delete(callback);
    };
  }

  close(): void {
    this.#timer.cancel();
    this.#watchers.clear();
  }

  #append(message: Message): void {
    this.#messages.append(message);
    this.#bytes += message.facts.size;
    this.#order.add(message);
    if (message.state === 'visible') return;
    if (message.state === 'inFlight') this.#inFlightCount += 1;
    else this.#delayedCount += 1;
    this.#later.push(message);
    this.#arm();
  }

  #release(message: Message): void {
    const was = message.state;
    if (was === 'inFlight') this.#inFlightCount -= 1;
    if (was === 'delayed') this.#delayedCount -= 1;
    message.state = 'visible';
    this.#order.release(message, was);
  }

  #redrive(message: Message): boolean {
    const policy = this.spec.redrivePolicy;
    if (!policy || message.receives < policy.maxReceiveCount) return false;
    const target = this.#options.queueByArn(policy.deadLetterTargetArn);
    if (!target) return false;
    const body = this.bodyOf(message);
    this.remove(message);
    // On a standard queue the retention period continues from the first send; on a FIFO queue it starts again.
    const sentAt = this.spec.fifo ? this.#options.clock.now() : message.facts.sentAt;
    const moved = target.add({ ...message.facts, sentAt, deadLetterSource: this.arn }, body, 0);
    moved.receives = message.receives;
    target.#stored.putReceives(moved);
    return true;
  }

  /** Releases messages whose timeout has passed, and drops messages past their retention. */
  #catchUp(): void {
    const now = this.#options.clock.now();
    let released = false;
    for (let due = this.#later.first; due && due.visibleAt <= now; due = this.#later.first) {
      this.#later.remove(due);
      this.#release(due);
      released = true;
    }
    for (let oldest = this.#messages.first; oldest && this.#isExpired(oldest, now);) {
      this.remove(oldest);
      oldest = this.#messages.first;
    }
    if (released) this.#notify();
  }

  #dropBeyond(bytes: number): void {
    for (let { first } = this.#messages; first && this.#bytes > bytes; first = this.#messages.first) this.remove(first);
  }

  #isExpired(message: Message, now: number): boolean {
    return message.facts.sentAt + this.spec.messageRetentionPeriod * 1000 <= now;
  }

  #arm(): void {
    this.#timer.wakeBy(this.#later.first?.visibleAt);
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
