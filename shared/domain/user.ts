import * as z from 'zod';
import { UserId } from './id.ts';

export const Plan = z.enum(['free', 'paid']);
export type Plan = z.infer<typeof Plan>;

export const User = z.object({
  id: UserId,
  username: z.string(),
  email: z.string(),
  plan: Plan,
  /** SHA-256 hex of its API key; the key itself is stored nowhere. */
  keyHash: z.string(),
  /** When the plan became paid, epoch ms. */
  paidSince: z.number().optional(),
  /** Invocations of that month before the plan became paid: not billed. */
  unbilledInvocations: z.number().optional(),
  /** Quotas of this user instead of the stage's. */
  dailyInvocations: z.number().int().optional(),
  dailyComputeMs: z.number().int().optional(),
  createdAt: z.number(),
});
export type User = z.infer<typeof User>;

/** Its day in UTC, as the usage counters name it: 2026-01-31. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** Its month in UTC: 2026-01. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

export interface BillingPeriod {
  start: number;
  end: number;
}

/** Calendar months in UTC, the first one from the moment the plan became paid. Epoch ms. */
export function billingPeriod(now: number, paidSince: number): BillingPeriod {
  const date = new Date(now);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return { start: Math.max(month, paidSince), end };
}
