import { DAY_MS } from '../../lib/durations.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import type { EmitTrigger, SourceType } from '../../domain/run/message.ts';
import { MAX_QUEUED_MESSAGES, MAX_WAITING_TRIGGERS } from '../../domain/run/backlog-limits.ts';
import { skipNotice, type SkipNoticeInput } from '../../domain/run/skip-notice.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import { dayOf } from '../../domain/user/user.ts';
import { type Quotas, secondsUntilReset } from './quotas.ts';
import type { RequestRates } from './request-rates.ts';
import { FULL_RECOUNT_MS, type Storage, STORAGE_FULL } from './storage.ts';
import { secondsUntilNextWindow } from './window-counts.ts';

interface AdmissionInput {
  sourceId: SourceId;
  ownerId: UserId;
  /** Triggers in the source's backlog; undefined without one. Events of other emitters are not refused by it. */
  waiting?: number | undefined;
}

export interface Refusal {
  code: SkipNoticeInput['why'];
  retryAfterSeconds: number;
  /**
   * Emits an event on the source's `$errors`. Absent when this instance sent one today, and for API callers, who get a
   * 429.
   */
  skipNotice?: EmitTrigger;
}

export type Admission = ReturnType<typeof createAdmission>;

export interface AdmissionOptions {
  quotas: Quotas;
  storage: Pick<Storage, 'isFull' | 'isFullFor'>;
  /** Messages of the queue of all sources, about. */
  queueDepth(): Promise<number>;
  /** Absent where no requests to endpoints arrive. */
  rates?: RequestRates;
  now(): number;
}

const MAX_NOTICES = 10_000;
const BACKLOG_FULL_SECONDS = 60;
/** The queue is counted again after this. */
const QUEUE_FULL_SECONDS = 10;

/**
 * Decides whether a source accepts another trigger: checks the rate of requests, the owner's quota and storage, then
 * the source's backlog.
 */
export function createAdmission({ quotas, storage, queueDepth, rates, now }: AdmissionOptions) {
  const notified = new TtlCache<string, true>({ ttlMs: DAY_MS, maxEntries: MAX_NOTICES, now });

  /** Events of other emitters are taken until the user is full. */
  const isStorageFull = ({ ownerId, sourceId }: AdmissionInput, cause: SourceType): Promise<boolean> =>
    cause === 'source' || cause === 'workflow' ? storage.isFull(ownerId) : storage.isFullFor(ownerId, sourceId);

  async function refusalOf(input: AdmissionInput, cause: SourceType): Promise<Refusal | undefined> {
    if (rates && cause === 'http' && !(await rates.accept(input.sourceId, input.ownerId))) return rateExceeded(now());
    if (await quotas.isOver(input)) {
      return { code: 'quota_exceeded', retryAfterSeconds: secondsUntilReset(now()) };
    }
    if (await isStorageFull(input, cause)) {
      return { code: 'storage_full', retryAfterSeconds: FULL_RECOUNT_MS / 1_000 };
    }
    if (input.waiting === undefined) return undefined;
    if (input.waiting >= MAX_WAITING_TRIGGERS) return { code: 'lagging', retryAfterSeconds: BACKLOG_FULL_SECONDS };
    if ((await queueDepth()) > MAX_QUEUED_MESSAGES) return { code: 'lagging', retryAfterSeconds: QUEUE_FULL_SECONDS };
    return undefined;
  }

  /** One notice per day and source in this instance; run-source emits only the first of all instances. */
  function noticeOf(
    { sourceId, ownerId }: AdmissionInput,
    why: SkipNoticeInput['why'],
    cause: SourceType,
  ): EmitTrigger | undefined {
    const at = now();
    const key = `${sourceId} ${dayOf(at)}`;
    if (notified.get(key)) return undefined;
    notified.set(key, true);
    return skipNotice({ sourceId, ownerId, why, sourceType: cause, now: at });
  }

  return {
    /** Undefined when the source accepts a trigger of this cause now. */
    async admit(input: AdmissionInput, cause: SourceType): Promise<Refusal | undefined> {
      const refusal = await refusalOf(input, cause);
      // Events that are dropped because the storage is full are counted.
      const isCounted = refusal?.code === 'storage_full' && cause !== 'http';
      if (!refusal || isCounted || cause === 'api') return refusal;
      const notice = noticeOf(input, refusal.code, cause);
      return notice ? { ...refusal, skipNotice: notice } : refusal;
    },
  };
}

const MESSAGES: Record<SkipNoticeInput['why'], string> = {
  quota_exceeded:
    'The daily quota of the owner of this source, or the share of this source, is used up; it is renewed at 00:00 UTC.',
  storage_full: STORAGE_FULL,
  lagging: `The source is behind: ${MAX_WAITING_TRIGGERS} triggers wait for it, or the queue of all sources is full. Try again after Retry-After.`,
  rate_exceeded:
    'More requests arrive here, or at all endpoints of the owner, than limits.sourceRequestRate or limits.userRequestRate of the stage allows; try again after Retry-After.',
};

/** The refusal until the next window of requests. */
export const rateExceeded = (now: number): Refusal => ({
  code: 'rate_exceeded',
  retryAfterSeconds: secondsUntilNextWindow(now),
});

/** The error for a refused trigger: status 429 with `Retry-After`. */
export const refusedError = ({ code, retryAfterSeconds }: Refusal): ServiceError =>
  new ServiceError(code, MESSAGES[code], { retryAfterSeconds });
