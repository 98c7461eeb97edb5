import { HOUR_MS } from '../../lib/durations.ts';
import { type DedupeState, unique } from '../event/dedupe.ts';
import { NOTICE_NAMES } from './notice-names.ts';

/** Notices of one user, hour and name, so that many of one name leave room for the others. */
export const MAX_NOTICES_PER_HOUR = 20;

/** As many ids as there may be notices within an hour, so that none is forgotten, and counted as new again. */
const REMEMBERED_IDS = NOTICE_NAMES.length * MAX_NOTICES_PER_HOUR;

/** The number of notices of each name that were emitted within an hour, which is counted from the epoch. */
export interface NoticeCounts {
  hour: number;
  counts: Readonly<Record<string, number>>;
}

interface NoticeMemory {
  dedupe: DedupeState;
  noticeCounts?: NoticeCounts | undefined;
}

interface AcceptedNotices<N> extends Required<NoticeMemory> {
  accepted: N[];
  /** Notices beyond the limit of the hour. */
  leftOut: number;
  noticeCounts: NoticeCounts;
}

/** Chooses the notices that were not emitted before, up to the limit of this hour. */
export function acceptNotices<N extends { id: string; name: string }>(
  memory: NoticeMemory,
  notices: readonly N[],
  now: number,
): AcceptedNotices<N> {
  const hour = Math.floor(now / HOUR_MS);
  const counts = new Map(memory.noticeCounts?.hour === hour ? Object.entries(memory.noticeCounts.counts) : []);
  const fresh = unique(memory.dedupe, notices, REMEMBERED_IDS).emitted;
  const accepted = fresh.filter(({ name }) => {
    const count = counts.get(name) ?? 0;
    if (count === MAX_NOTICES_PER_HOUR) return false;
    counts.set(name, count + 1);
    return true;
  });
  return {
    accepted,
    leftOut: fresh.length - accepted.length,
    dedupe: unique(memory.dedupe, accepted, REMEMBERED_IDS).state,
    noticeCounts: { hour, counts: Object.fromEntries(counts) },
  };
}
