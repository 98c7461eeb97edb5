import type { AttemptSummary } from '../../domain/delivery/delivery.ts';
import { type EventId, positionOf } from '../../domain/event/event-id.ts';
import { startOfMinute } from '../../domain/user/activity.ts';
import { type EmitterId, isSourceId, isWebhookId, type ListenerId, type UserId } from '../../domain/id.ts';
import { tallyOfAttempt } from '../../domain/metrics/tally.ts';
import { dayOf } from '../../domain/user/user.ts';
import type { ActivityStore } from '../../store/users/activity-counts.ts';
import type { DeliveryBytes, DeliveryBytesStore } from '../../store/deliveries/delivery-bytes.ts';
import type { MetricCounts } from '../metrics/metric-counts.ts';

export interface CountedAttempt {
  ownerId: UserId;
  listenerId: ListenerId;
  emitterId: EmitterId;
  isDelivered: boolean;
  /** HTTP status; absent without a response. */
  status?: number | undefined;
  ms: number;
  /** From the storing of the event to the end of the attempt; absent for an attempt that a caller requested. */
  latencyMs?: number | undefined;
}

interface CountedEvent {
  emitterId: EmitterId;
  eventId: EventId;
  indexedAt?: number | undefined;
}

/** Messages and deliveries of earlier releases lack the time of storing: the event's own time is near it. */
export const countedAttempt = (
  { ownerId, listenerId }: Pick<CountedAttempt, 'ownerId' | 'listenerId'>,
  { emitterId, eventId, indexedAt = positionOf(eventId).ms }: CountedEvent,
  { outcome, status, at, ms }: AttemptSummary,
): CountedAttempt => ({
  ownerId,
  listenerId,
  emitterId,
  isDelivered: outcome === 'delivered',
  status,
  ms,
  latencyMs: at + ms - indexedAt,
});

export type AttemptCounts = ReturnType<typeof createAttemptCounts>;

interface AttemptCountsOptions {
  activity: Pick<ActivityStore, 'addAttempts'>;
  deliveryBytes: Pick<DeliveryBytesStore, 'add'>;
  metrics: MetricCounts;
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
 * Time between two writes of an instance: activity costs no write per event. AWS freezes an idle instance, so what it
 * counted in the last moment before a pause is written when it wakes.
 */
export const WRITE_INTERVAL_MS = 5_000;

/** Counts attempts in memory, and writes them once per owner, minute and interval. */
export function createAttemptCounts({ activity, deliveryBytes, metrics, now, later, onLost }: AttemptCountsOptions) {
  let counted = new Map<string, Counted>();
  /** Changes of the bytes of deliveries, by listener and day. */
  let stored = new Map<string, DeliveryBytes[]>();
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

  /**
   * Bytes are no statistics: they are written with each batch, and a write that failed is repeated with the next one.
   */
  async function settleStored(): Promise<void> {
    const written = stored;
    stored = new Map();
    await Promise.all(
      Array.from(written, async ([item, changes]) => {
        try {
          await deliveryBytes.add(changes);
        } catch (error) {
          stored.set(item, [...changes, ...(stored.get(item) ?? [])]);
          onLost(error);
        }
      }),
    );
  }

  async function settleActivity(): Promise<void> {
    if (counted.size === 0) return;
    const waitMs = lastWrite + WRITE_INTERVAL_MS - now();
    if (waitMs <= 0 || waitMs > WRITE_INTERVAL_MS) return write();
    if (isWaiting) return;
    isWaiting = true;
    later(() => {
      isWaiting = false;
      void write();
    }, waitMs);
  }

  return {
    /** Counts for the user, for the source and for the webhook. */
    count({ ownerId, listenerId, emitterId, ...facts }: CountedAttempt): void {
      countsOf(ownerId)[facts.isDelivered ? 'delivered' : 'failed'] += 1;
      const tally = tallyOfAttempt(facts);
      if (isSourceId(emitterId)) metrics.count(emitterId, tally);
      if (isWebhookId(listenerId)) metrics.count(listenerId, tally);
    },

    /** Counts the bytes of a payload that was stored with a delivery, or removed. */
    countPayload(change: DeliveryBytes): void {
      const { ownerId, listenerId, at, bytes } = change;
      if (bytes > 0) {
        const counts = countsOf(ownerId);
        counts.payloadBytes = (counts.payloadBytes ?? 0) + bytes;
      }
      const item = `${listenerId} ${dayOf(at)}`;
      const others = stored.get(item);
      if (others) others.push(change);
      else stored.set(item, [change]);
    },

    /**
     * Writes the counts, or leaves them to a timer when the last write was a moment ago. Call it at the end of every
     * batch.
     */
    async settle(): Promise<void> {
      await Promise.all([settleStored(), settleActivity(), metrics.settle()]);
    },
  };
}
