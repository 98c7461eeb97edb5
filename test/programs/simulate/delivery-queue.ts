import { seededRandom } from '../../support/seeded-random.ts';
import { Line, type Order, type Sender } from './fair-order.ts';

/** Messages of a batch, and one batch per instance, as on AWS. */
const BATCH = 10;
/** Reads before the attempts of a batch, and writes after them. */
const READ_MS = 20;
const WRITE_MS = 20;

export interface SimulationOptions {
  /** `concurrency.deliveries` of a stage. */
  readonly instances: number;
  /** The sender whose latency is measured. */
  readonly user: Sender;
  readonly neighbours: readonly Sender[];
  readonly order: Order;
  /** Whether deliveries of a slow webhook are left to its drain. */
  readonly marksSlow: boolean;
  readonly seconds: number;
}

/**
 * From the send of a message to the response of its webhook. A message that still waits at the end counts with its age.
 */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  /** The same for the messages that were sent in the first quarter. */
  readonly firstQuarterP99: number;
}

interface Message {
  readonly line: Line;
  readonly sentAt: number;
}

interface Attempt extends Message {
  readonly ms: number;
}

interface Batch {
  readonly messages: readonly Message[];
  readonly attempts: readonly Attempt[];
  readonly startedAt: number;
  readonly endsAt: number;
}

interface Measured {
  readonly sentAt: number;
  readonly ms: number;
}

/**
 * Simulates the queue `deliveries` and its instances in virtual time, from empty. The same options give the same
 * result.
 */
export function simulateDeliveries(options: SimulationOptions): Latency {
  const { instances, user, neighbours, order, marksSlow, seconds } = options;
  const end = seconds * 1_000;
  const own = new Line(user);
  const lines = [own, ...neighbours.map((sender) => new Line(sender))];
  const measured: Measured[] = [];
  const arrivals = arrivalsOf(lines, end);
  const underWay = new Set<Batch>();

  const startBatches = (now: number): boolean => {
    const before = underWay.size;
    while (underWay.size < instances) {
      const messages = receive(lines, order, now);
      if (messages.length === 0) break;
      const attempts = messages
        .filter(({ line }) => !marksSlow || line.slowness.slowSince === undefined)
        .map((message) => ({ ...message, ms: message.line.sender.responseMs }));
      const slowest = Math.max(0, ...attempts.map(({ ms }) => ms));
      underWay.add({ messages, attempts, startedAt: now, endsAt: now + READ_MS + slowest + WRITE_MS });
      for (const { line, sentAt, ms } of attempts)
        if (line === own) measured.push({ sentAt, ms: now + READ_MS + ms - sentAt });
    }
    return underWay.size > before;
  };

  let ended: Batch | undefined;
  for (let next = 0; ;) {
    const arrival = arrivals[next];
    const now = Math.min(ended?.endsAt ?? Infinity, arrival?.sentAt ?? Infinity);
    if (now >= end) break;
    if (arrival?.sentAt === now) {
      arrival.line.send(now);
      next += 1;
    } else if (ended) {
      underWay.delete(ended);
      for (const { line } of ended.attempts) line.record(ended.startedAt + READ_MS);
      for (const { line } of ended.messages) line.finish(now - ended.startedAt, now);
    }
    const hasStarted = startBatches(now);
    if (hasStarted || ended?.endsAt === now) ended = earliest(underWay);
  }
  return latencyOf(own, measured, end);
}

function receive(lines: readonly Line[], order: Order, now: number): Message[] {
  const messages: Message[] = [];
  while (messages.length < BATCH) {
    const line = order(lines, now);
    if (!line) break;
    messages.push({ line, sentAt: line.receive() });
  }
  return messages;
}

function earliest(batches: Iterable<Batch>): Batch | undefined {
  let first: Batch | undefined;
  for (const batch of batches) if (!first || batch.endsAt < first.endsAt) first = batch;
  return first;
}

/** Messages at random times, each sender at its rate. */
function arrivalsOf(lines: readonly Line[], end: number): Message[] {
  const random = seededRandom(1);
  const arrivals: Message[] = [];
  for (const line of lines) {
    const pause = (): number => (-Math.log(1 - random()) * 1_000) / line.sender.rate;
    for (let at = pause(); at < end; at += pause()) arrivals.push({ line, sentAt: at });
  }
  return arrivals.sort((a, b) => a.sentAt - b.sentAt);
}

function latencyOf(line: Line, responses: readonly Measured[], end: number): Latency {
  const all = [...responses];
  while (line.waiting > 0) {
    const sentAt = line.receive();
    all.push({ sentAt, ms: end - sentAt });
  }
  return {
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    firstQuarterP99: quantile(
      all.filter(({ sentAt }) => sentAt < end / 4),
      0.99,
    ),
  };
}

function quantile(measured: readonly Measured[], share: number): number {
  const sorted = measured.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
}
