import * as z from 'zod';
import { HOUR_MS } from '../../lib/durations.ts';
import { Histogram, HistogramCounts } from './histogram.ts';

/** Times of the service, by what takes them. */
export const SERVICE_TIMES = [
  'run',
  /** One attempt of a delivery, until the receiver has answered. */
  'attempt',
  /** From the storing of an event to the end of the attempt that delivered it. */
  'delivery',
] as const;
export type ServiceTime = (typeof SERVICE_TIMES)[number];

const SECOND_MS = 1_000;
/** Buckets of what somebody waits for. */
export const TIME_BOUNDS_MS: readonly number[] = [
  ...[5, 10, 25, 50, 100, 250, 500],
  ...[1, 2.5, 5, 10, 30, 60].map((seconds) => seconds * SECOND_MS),
];
/** A delivery may be tried for days. */
const LONG_BOUNDS_MS = [...TIME_BOUNDS_MS, 300 * SECOND_MS, ...[1, 6, 24, 72].map((hours) => hours * HOUR_MS)];

export const newServiceTimes = (): Record<ServiceTime, Histogram> => ({
  run: new Histogram(TIME_BOUNDS_MS),
  attempt: new Histogram(TIME_BOUNDS_MS),
  delivery: new Histogram(LONG_BOUNDS_MS),
});

/** A count besides those of a tally: triggers that a quota refused. */
export const REFUSED = 'q';

/** The message of a line of the log with {@link ServiceCounts}. */
export const COUNTS_MESSAGE = 'counts';

/** Counts of a function since its last line, for the process that runs it. Names of counts are those of a tally. */
export const ServiceCounts = z.object({
  counts: z.record(z.string().max(2), z.number()),
  times: z.record(z.enum(SERVICE_TIMES), HistogramCounts),
  /** Sources that have a backlog, and the triggers that wait in all backlogs, at this time. */
  backlogs: z.object({ count: z.number(), triggers: z.number() }),
});
export type ServiceCounts = z.infer<typeof ServiceCounts>;
