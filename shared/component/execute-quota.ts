import type { UserId } from '../domain/id.ts';
import type { Limits } from '../domain/limits.ts';
import { dayOf, type User } from '../domain/user.ts';
import type { Usages } from '../store/usage.ts';

export interface Quotas {
  /** Whether a user of the plan `free` has used up this day. */
  isOver(ownerId: UserId): Promise<boolean>;
}

export interface QuotaServices {
  users: { find(id: UserId): Promise<User | undefined> };
  usages: Usages;
  limits: Pick<Limits, 'freeInvocations' | 'freeComputeMs'>;
  now(): number;
}

/** Whoever changes a plan waits for it to tell; counters change within seconds. */
const PLAN_REUSED_MS = 5_000;
const USAGE_REUSED_MS = 2_000;
const MOST_KNOWN = 5_000;

interface Known {
  quota: { invocations: number; computeMs: number } | undefined;
  planUntil: number;
  isOver: boolean;
  day: string;
  usageUntil: number;
}

export function quotasOf({ users, usages, limits, now }: QuotaServices): Quotas {
  const known = new Map<UserId, Promise<Known>>();

  const quotaOf = async (ownerId: UserId) => {
    const user = await users.find(ownerId);
    if (user?.plan !== 'free') return undefined;
    return {
      invocations: user.dailyInvocations ?? limits.freeInvocations,
      computeMs: user.dailyComputeMs ?? limits.freeComputeMs,
    };
  };

  async function refresh(ownerId: UserId, last: Known | undefined, at: number): Promise<Known> {
    const isPlanKnown = last !== undefined && last.planUntil > at;
    const quota = isPlanKnown ? last.quota : await quotaOf(ownerId);
    const used = quota && (await usages.ofDay(ownerId, at));
    return {
      quota,
      planUntil: isPlanKnown ? last.planUntil : at + PLAN_REUSED_MS,
      isOver: quota !== undefined && used !== undefined && isOver(used, quota),
      day: dayOf(at),
      usageUntil: quota === undefined ? at + PLAN_REUSED_MS : at + USAGE_REUSED_MS,
    };
  }

  return {
    async isOver(ownerId) {
      const at = now();
      const last = await known.get(ownerId);
      if (last && last.usageUntil > at && last.day === dayOf(at)) return last.isOver;
      if (known.size >= MOST_KNOWN) known.clear();
      const next = refresh(ownerId, last, at);
      known.set(ownerId, next);
      try {
        return (await next).isOver;
      } catch (error) {
        known.delete(ownerId);
        throw error;
      }
    },
  };
}

const isOver = (
  used: { invocations: number; computeMs: number },
  quota: { invocations: number; computeMs: number },
) => used.invocations >= quota.invocations || used.computeMs >= quota.computeMs;

/** Whole seconds until the counters begin anew, at 00:00 UTC. */
export const secondsUntilReset = (now: number): number => {
  const day = 24 * 60 * 60 * 1000;
  return Math.ceil((day - (now % day)) / 1000);
};
