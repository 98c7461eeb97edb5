import { startOfMinute } from '../../domain/user/activity.ts';
import type { UserId } from '../../domain/id.ts';
import type { ActivityStore } from '../../store/activity-counts.ts';

export interface AttemptCounts {
  count(ownerId: UserId, isDelivered: boolean): void;
  /** Counts bytes of a payload that was stored with a delivery. */
  countPayload(ownerId: UserId, bytes: number): void;
  /** Writes the counts, or leaves them to a timer when the last write was a moment ago. Call it at the end of every batch. */
  settle(): Promise<void>;
}

interface AttemptCountsOptions {
  activity: Pick<ActivityStore, 'addAttempts'>;
  now(): number;
  /** Calls back after this time. */
  later(work: () => void, ms: number): void;
  /** A failed write loses counts, which are statistics: deliveries must not be repeated for them. */
  onLost(error: unknown): void;
}

interface Counted {
  ownerId: UserId;
  at: number;
  delivered: number;
  failed: number;
  payloadBytes?: number;
}

/**
 * Time between two writes of an instance: activity costs no write per event. AWS freezes an idle instance, so what it counted in the last
 * moment before a pause is written when it wakes.
 */
export const WRITE_INTERVAL_MS = 5_000;

/** Counts attempts in memory, and writes them once per owner, minute and interval. */
export function createAttemptCounts({ activity, now, later, onLost }: AttemptCountsOptions): AttemptCounts {
  let counted = new Map<string, Counted>();
  let lastWrite = -Infinity;
  let isWaiting = false;

  function countsOf(ownerId: UserId): Counted {
    const at = startOfMinute(now());
    const key = `${ownerId} ${at}`;
    const counts = counted.get(key) ?? { ownerId, at, delivered: 0, failed: 0 };
    counted.set(key, counts);
    return counts;
  }

  async function write(): Promise<void> {
    const written = counted;
    counted = new Map();
    lastWrite = now();
    await Promise.all(
      Array.from(written.values(), ({ ownerId, at, ...counts }) =>
        activity.addAttempts(ownerId, counts, at).catch(onLost),
      ),
    );
  }

  return {
    count(ownerId, isDelivered) {
      countsOf(ownerId)[isDelivered ? 'delivered' : 'failed'] += 1;
    },

    countPayload(ownerId, bytes) {
      const counts = countsOf(ownerId);
      counts.payloadBytes = (counts.payloadBytes ?? 0) + bytes;
    },

    async settle() {
      if (counted.size === 0) return;
      const waitMs = lastWrite + WRITE_INTERVAL_MS - now();
      if (waitMs <= 0 || waitMs > WRITE_INTERVAL_MS) return write();
      if (isWaiting) return;
      isWaiting = true;
      later(() => {
        isWaiting = false;
        void write();
      }, waitMs);
    },
  };
}
