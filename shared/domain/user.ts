import * as z from 'zod';
import { UserId } from './id.ts';

export const Plan = z.enum(['free', 'paid']);
export type Plan = z.infer<typeof Plan>;

export const User = z.object({
  id: UserId,
  username: z.string(),
  email: z.string(),
  plan: Plan,
  /** SHA-256 hex of the API key; the key itself is not stored. */
  keyHash: z.string(),
  /** Start of the plan `paid`, epoch ms. */
  paidSince: z.number().optional(),
  /** Invocations of the same month before the plan became `paid`, which are not billed. */
  unbilledInvocations: z.number().optional(),
  /** Quotas of this user instead of the stage's. */
  dailyInvocations: z.number().int().optional(),
  dailyComputeMs: z.number().int().optional(),
  createdAt: z.number(),
});
export type User = z.infer<typeof User>;

/** The UTC day: 2026-01-31. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** The UTC month: 2026-01. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

export interface BillingPeriod {
  start: number;
  end: number;
}

/** The UTC calendar month; the first period starts when the plan became `paid`. Epoch ms. */
export function billingPeriod(now: number, paidSince: number): BillingPeriod {
  const date = new Date(now);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return { start: Math.max(month, paidSince), end };
}
