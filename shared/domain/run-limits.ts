import * as z from 'zod';

/** Limits of one run; each has its own error code on `$errors`. */
export const RunLimits = z.object({
  /** Wall-clock time of one job. */
  timeoutMs: z.number(),
  memoryMb: z.number(),
  /** Serialised `$.service.db`. */
  dbBytes: z.number(),
  emits: z.number(),
  eventBytes: z.number(),
});
export type RunLimits = z.infer<typeof RunLimits>;

export const defaultLimits: RunLimits = {
  timeoutMs: 60_000,
  memoryMb: 256,
  dbBytes: 60 * 1024,
  emits: 10_000,
  eventBytes: 1024 * 1024,
};

/** Synchronous runs of a user at the same time. Each takes a process for up to 25 s. */
export const MAX_SYNCHRONOUS_RUNS = 20;
