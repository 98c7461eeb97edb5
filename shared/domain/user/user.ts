import * as z from 'zod';
import { UserId } from '../id.ts';

export const Plan = z.enum(['free', 'paid']);
export type Plan = z.infer<typeof Plan>;

/** The fields that the operator sets when a user is created. */
export const UserProfile = z.object({ username: z.string(), email: z.string() });
export type UserProfile = z.infer<typeof UserProfile>;

/** The plan of a user and its own quotas. The operator sets them together: an absent one is removed. */
export const UserPlan = z.object({
  plan: Plan,
  /** Start of the plan `paid`, epoch ms. */
  paidSince: z.number().optional(),
  /** Quotas of this user instead of the stage's. */
  dailyInvocations: z.number().int().optional(),
  dailyComputeMs: z.number().int().optional(),
});
export type UserPlan = z.infer<typeof UserPlan>;

export const User = z.object({
  id: UserId,
  ...UserProfile.shape,
  ...UserPlan.shape,
  /** SHA-256 hex of the API key; the key itself is not stored. */
  keyHash: z.string(),
  /** SHA-256 hex of a second key, for commands on the machine of the service; every start replaces it. */
  localKeyHash: z.string().optional(),
  /** Invocations of the same hour before the plan became `paid`, which are not billed. */
  unbilledInHour: z.number().optional(),
  /** Since when the operator has stopped the work of the user, epoch ms. */
  suspendedAt: z.number().optional(),
  createdAt: z.number(),
});
export type User = z.infer<typeof User>;

/** The UTC day: 2026-01-31. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
