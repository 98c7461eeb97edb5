import * as z from 'zod';
import { SourceId, WebhookId } from '../id.ts';
import { bucketOfLatency } from './latency-sketch.ts';

/** The subject of metrics: what it runs and emits is counted, or what is delivered to it. */
export const MetricSubject = z.union([SourceId, WebhookId]);
export type MetricSubject = z.infer<typeof MetricSubject>;

export const SubjectList = z.enum(['sources', 'webhooks']);
export type SubjectList = z.infer<typeof SubjectList>;

/** `0`: no response. */
export const STATUS_CLASSES = ['2', '3', '4', '5', '0'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/**
 * Counts of one subject and bucket, by name: the names of {@link COUNT}, with the class of the response's status behind
 * those of attempts, and the bucket of the latency behind that of latencies. Tallies merge by addition.
 */
export type Tally = ReadonlyMap<string, number>;

/** Short names, so that an item of a bucket stays within 1 KB, one write unit. */
export const COUNT = {
  runs: 'r',
  computeMs: 'c',
  events: 'e',
  errors: 'x',
  deliveries: 'd',
  failures: 'f',
  latency: 'l',
} as const;

/** The name of a count; other attributes of an item are longer. */
export const isCount = (name: string): boolean => /^(?:[rcex]|[df][0-5]|l[\da-z]{1,2})$/.test(name);

/** Text that names a latency's bucket in a count. */
const RADIX = 36;
export const latencyCount = (ms: number): string => COUNT.latency + bucketOfLatency(ms).toString(RADIX);
export const latencyBucketOf = (count: string): number => Number.parseInt(count.slice(COUNT.latency.length), RADIX);

interface AttemptFacts {
  isDelivered: boolean;
  /** HTTP status; absent without a response. */
  status?: number | undefined;
  /** From the storing of the event to the end of a successful attempt; absent for an attempt that is not measured. */
  latencyMs?: number | undefined;
}

export function tallyOfAttempt({ isDelivered, status, latencyMs }: AttemptFacts): Tally {
  const counts: [string, number][] = [[(isDelivered ? COUNT.deliveries : COUNT.failures) + classOf(status), 1]];
  if (isDelivered && latencyMs !== undefined) counts.push([latencyCount(latencyMs), 1]);
  return new Map(counts);
}

/** Other classes do not exist for a final response. */
export function classOf(status: number | undefined): StatusClass {
  const first = String(status ?? 0).charAt(0);
  return STATUS_CLASSES.find((each) => each === first) ?? '0';
}

interface RunFacts {
  runs: number;
  computeMs?: number;
  events: number;
  errors: number;
}

export const tallyOfRuns = ({ runs, computeMs = 0, events, errors }: RunFacts): Tally =>
  new Map(
    (
      [
        [COUNT.runs, runs],
        [COUNT.computeMs, computeMs],
        [COUNT.events, events],
        [COUNT.errors, errors],
      ] as const
    ).filter(([, count]) => count > 0),
  );

export function addTally(to: Map<string, number>, tally: Tally): void {
  for (const [name, count] of tally) to.set(name, (to.get(name) ?? 0) + count);
}

/** Number of runs, events and attempts in a tally. A compute time belongs to a run, a latency to an attempt. */
export function weightOf(tally: Tally): number {
  let weight = 0;
  for (const [name, count] of tally) if (name !== COUNT.computeMs && !name.startsWith(COUNT.latency)) weight += count;
  return weight;
}
