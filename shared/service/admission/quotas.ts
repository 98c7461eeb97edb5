import { DAY_MS } from '../../lib/durations.ts';
import type { Notify } from '../../domain/notice/notice.ts';
import { quotaNotice } from '../../domain/notice/user-notices.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import { cachedRead, TtlCache } from '../../lib/ttl-cache.ts';
import { type SharedLimit, hasFairShare, maySpend } from '../../lib/sharing/fair-share.ts';
import type { User } from '../../domain/user/user.ts';
import type { Usage, UsageStore } from '../../store/users/usage.ts';
import type { Parties } from './parties.ts';

export type Quotas = ReturnType<typeof createQuotas>;

interface Quota extends Usage {
  user: Pick<User, 'id' | 'username'>;
}

interface QuotaUse {
  quota: Usage;
  used: Usage;
}

export interface QuotaOptions {
  users: { find(id: UserId): Promise<User | undefined> };
  usages: Pick<UsageStore, 'ofDay'>;
  /** The usage of a source on the UTC day of a time, without that of the last 30 s or so. */
  sourceUsage(sourceId: SourceId, now: number): Promise<Usage>;
  isOnlySource: Parties['isOnlySource'];
  limits: Pick<Limits, 'freeInvocations' | 'freeComputeMs'>;
  notify: Notify;
  now(): number;
}

/** Cache times. `admin` waits for their sum after a change of plan, so that the change holds in every instance. */
const PLAN_CACHE_MS = 3_000;
const USAGE_CACHE_MS = 2_000;
/** Read only beyond three quarters of a quota, and up to two hours of minutes: 60 KB. */
const SOURCE_CACHE_MS = 10_000;
const MAX_CACHED_OWNERS = 5_000;

export function createQuotas(options: QuotaOptions) {
  const { users, usages, sourceUsage, isOnlySource, limits, notify, now } = options;
  const cache = <Key, Value>(ttlMs: number) =>
    new TtlCache<Key, Promise<Value>>({ ttlMs, maxEntries: MAX_CACHED_OWNERS, now });
  const quotas = cache<UserId, Quota | undefined>(PLAN_CACHE_MS);
  const uses = cache<string, QuotaUse | undefined>(USAGE_CACHE_MS);
  const sources = cache<string, Usage>(SOURCE_CACHE_MS);

  async function readQuota(ownerId: UserId): Promise<Quota | undefined> {
    const user = await users.find(ownerId);
    if (user?.plan !== 'free') return undefined;
    return {
      user,
      invocations: user.dailyInvocations ?? limits.freeInvocations,
      computeMs: user.dailyComputeMs ?? limits.freeComputeMs,
    };
  }

  async function readUse(ownerId: UserId, at: number): Promise<QuotaUse | undefined> {
    const quota = await cachedRead(quotas, ownerId, () => readQuota(ownerId));
    if (quota === undefined) return undefined;
    const use = { quota, used: await usages.ofDay(ownerId, at) };
    if (isUsedUp(use)) await notify(quotaNotice(quota.user, at));
    return use;
  }

  return {
    /** Whether a source of a user of the plan `free` has used up its share of today's quota. */
    async isOver({ sourceId, ownerId }: { sourceId: SourceId; ownerId: UserId }): Promise<boolean> {
      const at = now();
      const day = Math.floor(at / DAY_MS);
      const use = await cachedRead(uses, `${ownerId} ${day}`, () => readUse(ownerId, at));
      if (use === undefined || isPlentiful(use)) return false;
      if (isUsedUp(use)) return true;
      const ofSource = await cachedRead(sources, `${sourceId} ${day}`, () => sourceUsage(sourceId, at));
      const hasLeft = (measure: keyof Usage) =>
        maySpend(sharedLimit(use, ofSource, measure), () => isOnlySource(ownerId));
      return !((await hasLeft('invocations')) && (await hasLeft('computeMs')));
    },
  };
}

const sharedLimit = ({ quota, used }: QuotaUse, ofSource: Usage, measure: keyof Usage): SharedLimit => ({
  limit: quota[measure],
  usedByAll: used[measure],
  usedByOne: ofSource[measure],
});

/** Whether any source may run, however much it used itself. */
const isPlentiful = (use: QuotaUse): boolean =>
  (['invocations', 'computeMs'] as const).every((measure) => hasFairShare(sharedLimit(use, use.used, measure), false));

const isUsedUp = ({ quota, used }: QuotaUse): boolean =>
  used.invocations >= quota.invocations || used.computeMs >= quota.computeMs;

/** Whole seconds until the counters are reset at 00:00 UTC. */
export const secondsUntilReset = (now: number): number => Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);
