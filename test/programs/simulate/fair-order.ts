import { type Slowness, slownessAfter } from '../../../shared/domain/webhook/slowness.ts';

/** A user of the simulated queue `deliveries`. */
export interface Sender {
  /** Deliveries per second. */
  readonly rate: number;
  /** Time of each response of its webhook. */
  readonly responseMs: number;
}

/** The messages of one sender, the oldest first. */
export class Line {
  readonly sender: Sender;
  /** Messages that were received and not deleted. */
  inFlight = 0;
  /** The stored health of the sender's webhook. */
  slowness: Slowness = {};
  readonly #sentAt: number[] = [];
  #head = 0;
  #processedMs = 0;
  #processedAt = 0;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  get waiting(): number {
    return this.#sentAt.length - this.#head;
  }

  get oldest(): number {
    return this.#sentAt[this.#head] ?? Infinity;
  }

  send(at: number): void {
    this.#sentAt.push(at);
  }

  /** The time at which the oldest message was sent. */
  receive(): number {
    const at = this.oldest;
    this.#head += 1;
    this.inFlight += 1;
    return at;
  }

  /** A response came. */
  record(at: number): void {
    const { responseMs: ms } = this.sender;
    this.slowness = slownessAfter(this.slowness, { at, ms, outcome: 'delivered' });
  }

  /** A message was deleted, so long after it was received. */
  finish(ms: number, now: number): void {
    this.inFlight -= 1;
    this.#processedMs = this.processedMs(now) + ms;
    this.#processedAt = now;
  }

  /** Recent time of consumers. */
  processedMs(now: number): number {
    return this.#processedMs * 2 ** ((this.#processedAt - now) / RECENT_MS);
  }
}

/** AWS does not say how long a sender's use of consumers counts: half of it after a minute. */
const RECENT_MS = 60_000;
const NOISY_SHARE = 0.1;
const NOISY_IN_FLIGHT = 30;

const sumOf = (lines: readonly Line[], valueOf: (line: Line) => number): number =>
  lines.reduce((sum, line) => sum + valueOf(line), 0);

/** The line whose oldest message is received next. Undefined when no message waits. */
export type Order = (lines: readonly Line[], now: number) => Line | undefined;

const least = (lines: readonly Line[], valueOf: (line: Line) => number): Line | undefined =>
  lines.reduce<Line | undefined>((best, line) => (best && valueOf(best) <= valueOf(line) ? best : line), undefined);

/** A queue without message groups. */
export const oldestFirst: Order = (lines) =>
  least(
    lines.filter(({ waiting }) => waiting > 0),
    ({ oldest }) => oldest,
  );

/**
 * A standard queue with message groups: quiet senders come first; of noisy ones, that with the fewest messages in
 * flight. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html
 */
export const fairOrder: Order = (lines, now) => {
  const waiting = lines.filter((line) => line.waiting > 0);
  const inFlight = sumOf(lines, (line) => line.inFlight);
  const processedMs = sumOf(lines, (line) => line.processedMs(now));
  const isNoisy = (line: Line): boolean =>
    (line.inFlight >= NOISY_IN_FLIGHT && line.inFlight > NOISY_SHARE * inFlight) ||
    line.processedMs(now) > NOISY_SHARE * processedMs;
  const quiet = waiting.filter((line) => !isNoisy(line));
  return oldestFirst(quiet, now) ?? least(waiting, (line) => line.inFlight);
};
