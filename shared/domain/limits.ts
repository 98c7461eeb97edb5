import * as z from 'zod';

/** Limits per user and run, set by the operator for a stage. */
export const Limits = z.object({
  sources: z.number().int(),
  webhooks: z.number().int(),
  subscriptions: z.number().int(),
  /** Quotas of the plan `free`, per UTC day. */
  freeInvocations: z.number().int(),
  freeComputeMs: z.number().int(),
  /** Time limit of one run. */
  runTimeoutMs: z.number().int(),
  runMemoryMb: z.number().int(),
});
export type Limits = z.infer<typeof Limits>;

export const defaultUserLimits: Limits = {
  sources: 1_000,
  webhooks: 1_000,
  subscriptions: 10_000,
  freeInvocations: 1_000_000_000,
  freeComputeMs: 1_000_000_000_000,
  runTimeoutMs: 60_000,
  runMemoryMb: 256,
};
