import * as z from 'zod';

/** The timers of the neighbour tick in turn. */
export const TICK_EVERY_MS = 5_000;

/** Settings of the observing process, its first argument. */
export const ObserverSettings = z.object({
  base: z.string(),
  key: z.string(),
  yardstickPort: z.int(),
});
export type ObserverSettings = z.infer<typeof ObserverSettings>;

/** Observations of the neighbour since the last report. */
export const Observations = z.object({
  requests: z.int(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  slowestMs: z.number(),
  /** The same requests to a process that only answers: the speed of the machine. */
  yardstickP99Ms: z.number(),
  deliveries: z.int(),
  slowestDeliveryMs: z.number(),
  ticks: z.int(),
  /** From each tick to the next, and from the last tick until the report. */
  longestWithoutTickMs: z.number(),
  /** Requests that were not answered with 200. */
  failures: z.array(z.string()),
});
export type Observations = z.infer<typeof Observations>;
