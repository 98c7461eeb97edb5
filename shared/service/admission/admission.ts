import { ServiceError } from '../../domain/errors.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import type { EmitTrigger, SourceType } from '../../domain/message.ts';
import { refusedForMs } from '../../domain/overload.ts';
import { skipNotice, type Skipped } from '../../domain/skip-notice.ts';
import { TtlCache } from '../../domain/ttl-cache.ts';
import { dayOf } from '../../domain/user.ts';
import { type Quotas, secondsUntilReset } from './quotas.ts';

/** The source that a trigger is meant for. */
interface Applicant {
  sourceId: SourceId;
  ownerId: UserId;
  /** Epoch ms until which the source takes no triggers, when the caller has just read it; 0 for none. */
  overloadedUntil?: number;
}

export interface Refusal {
  code: Skipped['why'];
  retryAfterSeconds: number;
  /** Tells the source's `$errors`; absent when this instance has said so today, or the caller is told by its own answer. */
  notice?: EmitTrigger;
}

export interface Admission {
  /** Undefined when the source may take a trigger of this cause now. */
  admit(applicant: Applicant, cause: SourceType): Promise<Refusal | undefined>;
}

export interface AdmissionOptions {
  quotas: Quotas;
  overloadedUntil(id: SourceId): Promise<number | undefined>;
  now(): number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const MAX_NOTICES = 10_000;

/** Decides whether a source takes another trigger: its owner's quota first, then its backlog (decisions, "Users, keys, quotas"). */
export function createAdmission({ quotas, overloadedUntil, now }: AdmissionOptions): Admission {
  const notified = new TtlCache<string, true>({ ttlMs: DAY_MS, maxEntries: MAX_NOTICES, now });

  async function refusalOf(applicant: Applicant): Promise<Refusal | undefined> {
    if (await quotas.isOver(applicant.ownerId)) {
      return { code: 'quota_exceeded', retryAfterSeconds: secondsUntilReset(now()) };
    }
    const until = applicant.overloadedUntil ?? (await overloadedUntil(applicant.sourceId));
    const refusedMs = refusedForMs(until, now());
    if (refusedMs === 0) return undefined;
    return { code: 'lagging', retryAfterSeconds: Math.ceil(refusedMs / 1_000) };
  }

  /** Once a day and source; run-source lets the first notice of all instances through. */
  function noticeOf(
    { sourceId, ownerId }: Applicant,
    why: Skipped['why'],
    cause: SourceType,
  ): EmitTrigger | undefined {
    const at = now();
    const key = `${sourceId} ${dayOf(at)}`;
    if (notified.get(key)) return undefined;
    notified.set(key, true);
    return skipNotice({ sourceId, ownerId, why, sourceType: cause, now: at });
  }

  return {
    async admit(applicant, cause) {
      const refusal = await refusalOf(applicant);
      if (!refusal || cause === 'api') return refusal;
      const notice = noticeOf(applicant, refusal.code, cause);
      return notice ? { ...refusal, notice } : refusal;
    },
  };
}

const MESSAGES: Record<Skipped['why'], string> = {
  quota_exceeded: 'The daily quota of the owner of this source is used up; it is renewed at 00:00 UTC.',
  lagging: 'The source is more than a minute behind; try again shortly.',
};

/** The answer to a caller whose trigger is refused: 429 with `Retry-After`. */
export const refusedError = ({ code, retryAfterSeconds }: Refusal): ServiceError =>
  new ServiceError('rate_limited', code, MESSAGES[code], { retryAfterSeconds });
