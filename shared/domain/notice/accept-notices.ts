import { HOUR_MS } from '../../lib/durations.ts';
import { dedupe, type DedupeState } from '../event/dedupe.ts';

/**
 * Notices of one user and hour. Fewer than the ids that the state of an emitter remembers, so that within an hour no id is forgotten, and
 * counted as new again.
 */
export const MAX_NOTICES_PER_HOUR = 60;

/** The number of notices that were emitted within an hour, which is counted from the epoch. */
export interface NoticeCount {
  hour: number;
  count: number;
}

interface NoticeMemory {
  dedupe: DedupeState;
  noticeCount?: NoticeCount | undefined;
}

interface AcceptedNotices<N> extends Required<NoticeMemory> {
  accepted: N[];
  /** Notices beyond the limit of the hour. */
  leftOut: number;
  noticeCount: NoticeCount;
}

/** Chooses the notices that were not emitted before, up to the limit of this hour. */
export function acceptNotices<N extends { id: string }>(
  memory: NoticeMemory,
  notices: readonly N[],
  now: number,
): AcceptedNotices<N> {
  const hour = Math.floor(now / HOUR_MS);
  const before = memory.noticeCount?.hour === hour ? memory.noticeCount.count : 0;
  const fresh = dedupe('unique', memory.dedupe, notices).emitted;
  const accepted = fresh.slice(0, Math.max(0, MAX_NOTICES_PER_HOUR - before));
  return {
    accepted,
    leftOut: fresh.length - accepted.length,
    dedupe: dedupe('unique', memory.dedupe, accepted).state,
    noticeCount: { hour, count: before + accepted.length },
  };
}
