import { DAY_MS } from '../../lib/durations.ts';
import type { Notify } from '../../domain/notice/notice.ts';
import { quotaNotice } from '../../domain/notice/user-notices.ts';
import type { UserId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import { cachedRead } from '../../lib/cached-read.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import { type User } from '../../domain/user/user.ts';
import type { UsageStore } from '../../store/usage.ts';

export interface Quotas {
  /** Whether a user of the plan `free` has used up today's quota. */
  isOver(ownerId: UserId): Promise<boolean>;
}

/** Usage of one day, or the limit for one. */
interface DailyUsage {
  invocations: number;
  computeMs: number;
}

interface Quota extends DailyUsage {
  user: Pick<User, 'id' | 'username'>;
}

export interface QuotaOptions {
  users: { find(id: UserId): Promise<User | undefined> };
  usages: UsageStore;
  limits: Pick<Limits, 'freeInvocations' | 'freeComputeMs'>;
  notify: Notify;
  now(): number;
}

/** Cache times. `admin` waits for their sum after a change of plan, so that the change holds in every instance. */
const PLAN_CACHE_MS = 3_000;
const USAGE_CACHE_MS = 2_000;
const MAX_CACHED_OWNERS = 5_000;

export function createQuotas({ users, usages, limits, notify, now }: QuotaOptions): Quotas {
  const quotas = new TtlCache<UserId, Promise<Quota | undefined>>({
    ttlMs: PLAN_CACHE_MS,
    maxEntries: MAX_CACHED_OWNERS,
    now,
  });
  const responses = new TtlCache<string, Promise<boolean>>({
    ttlMs: USAGE_CACHE_MS,
    maxEntries: MAX_CACHED_OWNERS,
    now,
  });

  async function readQuota(ownerId: UserId): Promise<Quota | undefined> {
    const user = await users.find(ownerId);
    if (user?.plan !== 'free') return undefined;
    return {
      user,
      invocations: user.dailyInvocations ?? limits.freeInvocations,
      computeMs: user.dailyComputeMs ?? limits.freeComputeMs,
    };
  }

  async function readIsOver(ownerId: UserId, at: number): Promise<boolean> {
    const quota = await cachedRead(quotas, ownerId, () => readQuota(ownerId));
    if (quota === undefined || !isUsedUp(await usages.ofDay(ownerId, at), quota)) return false;
    await notify(quotaNotice(quota.user, at));
    return true;
  }

  return {
    isOver(ownerId) {
      const at = now();
      return cachedRead(responses, `${ownerId} ${Math.floor(at / DAY_MS)}`, () => readIsOver(ownerId, at));
    },
  };
}

const isUsedUp = (used: DailyUsage, quota: DailyUsage) =>
  used.invocations >= quota.invocations || used.computeMs >= quota.computeMs;

/** Whole seconds until the counters are reset at 00:00 UTC. */
export const secondsUntilReset = (now: number): number => Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);
