import type { ListenerId } from '../../domain/id.ts';
import { SLOW_MS } from '../../domain/webhook/slowness.ts';

/**
 * While a webhook has so many slow first attempts in this process, its further deliveries are left to the drain. Each
 * attempt holds a batch: otherwise a webhook that hangs would take all batches of the queue. More can be slow: attempts
 * that had begun before.
 */
export const MAX_SLOW = 10;

interface StartedAttempt {
  /** Epoch ms. */
  readonly at: number;
}

export type UnansweredAttempts = ReturnType<typeof createUnansweredAttempts>;

/**
 * The first attempts of this process whose request was sent and that have no outcome yet. An attempt that waits for a
 * connection is not one of them: it waits for this service, not for its webhook.
 */
export function createUnansweredAttempts(now: () => number) {
  /** The oldest attempt of a webhook first. */
  const unanswered = new Map<ListenerId, Set<StartedAttempt>>();

  return {
    add(listenerId: ListenerId, attempt: StartedAttempt): void {
      const own = unanswered.get(listenerId);
      if (own) own.add(attempt);
      else unanswered.set(listenerId, new Set([attempt]));
    },

    remove(listenerId: ListenerId, attempt: StartedAttempt): void {
      const own = unanswered.get(listenerId);
      own?.delete(attempt);
      if (own?.size === 0) unanswered.delete(listenerId);
    },

    /** Whether so many attempts of the webhook have had no outcome for {@link SLOW_MS}. */
    areManySlow(listenerId: ListenerId): boolean {
      const slowSince = now() - SLOW_MS;
      let slow = 0;
      for (const { at } of unanswered.get(listenerId) ?? []) {
        if (at > slowSince) return false;
        slow += 1;
        if (slow === MAX_SLOW) return true;
      }
      return false;
    },
  };
}
