import type { UserId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import { TtlCache } from '../../domain/ttl-cache.ts';
import { dayOf, type User } from '../../domain/user.ts';
import type { UsageStore } from '../../store/usage.ts';

export interface Quotas {
  /** Whether a user of the plan `free` has used up this day. */
  isOver(ownerId: UserId): Promise<boolean>;
}

/** Of one day, or allowed for one. */
interface Used {
  invocations: number;
  computeMs: number;
}

export interface QuotaOptions {
  users: { find(id: UserId): Promise<User | undefined> };
  usages: UsageStore;
  limits: Pick<Limits, 'freeInvocations' | 'freeComputeMs'>;
  now(): number;
}

/** Together what passes until a change of plan tells everywhere: whoever makes one waits for it. */
const PLAN_REUSED_MS = 3_000;
const USAGE_REUSED_MS = 2_000;
const MOST_KNOWN = 5_000;

export function createQuotas({ users, usages, limits, now }: QuotaOptions): Quotas {
  const quotas = new TtlCache<UserId, Promise<Used | undefined>>({
    ttlMs: PLAN_REUSED_MS,
    maxEntries: MOST_KNOWN,
    now,
  });
  const answers = new TtlCache<string, Promise<boolean>>({
    ttlMs: USAGE_REUSED_MS,
    maxEntries: MOST_KNOWN,
    now,
  });

  async function readQuota(ownerId: UserId): Promise<Used | undefined> {
    const user = await users.find(ownerId);
    if (user?.plan !== 'free') return undefined;
    return {
      invocations: user.dailyInvocations ?? limits.freeInvocations,
      computeMs: user.dailyComputeMs ?? limits.freeComputeMs,
    };
  }

  async function ask(ownerId: UserId, at: number): Promise<boolean> {
    const quota = await again(quotas, ownerId, () => readQuota(ownerId));
    return quota !== undefined && isOver(await usages.ofDay(ownerId, at), quota);
  }

  return {
    isOver(ownerId) {
      const at = now();
      return again(answers, `${ownerId} ${dayOf(at)}`, () => ask(ownerId, at));
    },
  };
}

/** Who asks while the answer is on its way shares it; one that failed is asked for anew. */
async function again<Key, Value>(
  recent: TtlCache<Key, Promise<Value>>,
  key: Key,
  find: () => Promise<Value>,
): Promise<Value> {
  const last = recent.get(key);
  if (last) return last;
  const next = find();
  recent.set(key, next);
  try {
    return await next;
  } catch (error) {
    recent.delete(key);
    throw error;
  }
}

const isOver = (used: Used, quota: Used) =>
  used.invocations >= quota.invocations || used.computeMs >= quota.computeMs;

/** Whole seconds until the counters begin anew, at 00:00 UTC. */
export const secondsUntilReset = (now: number): number => {
  const day = 24 * 60 * 60 * 1000;
  return Math.ceil((day - (now % day)) / 1000);
};
