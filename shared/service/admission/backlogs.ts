import type { SourceId } from '../../domain/id.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';

/** Less than half of the messages among which SQS looks for work, whatever source they are for. */
export const LARGEST_BACKLOG = 50_000;
/** Longer than a source takes to refuse requests because the oldest one waits for too long. */
const COUNTED_MS = 180_000;
const MAX_SOURCES = 10_000;

interface Count {
  /** Requests that this process has sent to the queue of the source. */
  accepted: number;
  /** Triggers that the source had completed before the first of them. */
  readonly completedBefore: number;
}

export type Backlogs = ReturnType<typeof createBacklogs>;

/**
 * Estimates how many requests of this process wait for each source. Everything that a source completes counts as one of them, so that
 * requests of others never make the estimate higher. A trigger that ended as a dead letter counts for up to 180 s.
 */
export function createBacklogs(now: () => number) {
  const counts = new TtlCache<SourceId, Count>({ ttlMs: COUNTED_MS, maxEntries: MAX_SOURCES, now });
  return {
    accept(id: SourceId): void {
      const count = counts.get(id);
      if (count) count.accepted += 1;
    },

    /** `completed`: triggers that the source has completed so far. */
    isTooLong(id: SourceId, completed: number): boolean {
      const { accepted, completedBefore } = counts.get(id) ?? { accepted: 0, completedBefore: completed };
      const waiting = accepted - (completed - completedBefore);
      if (waiting <= 0) counts.set(id, { accepted: 0, completedBefore: completed });
      return waiting > LARGEST_BACKLOG;
    },
  };
}
