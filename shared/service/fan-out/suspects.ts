import { isWebhookId, type ListenerId } from '../../domain/id.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import type { HttpTarget } from '../delivery/http-target.ts';

/**
 * After the start of an attempt that failed about the receiver, new deliveries to the webhook skip the first attempt
 * for this time.
 */
export const SUSPECT_MS = 30_000;
/** A failure so soon after the last one changes nothing: a webhook that fails costs one write a second. */
const SPACING_MS = 1_000;
const MAX_SUSPECTS = 10_000;

export type Suspects = ReturnType<typeof createSuspects>;

/**
 * The webhooks that failed a moment ago. A failure in this instance may be newer than the webhook that was read with
 * the batch.
 */
export function createSuspects(webhooks: Pick<WebhookStore, 'suspect'>) {
  const own = new Map<ListenerId, number>();

  return {
    /** Epoch ms. A recorded success or refusal of an event that began after the failed attempt ends the suspicion. */
    untilOf({ listenerId, suspectUntil, health: { lastSuccess = 0, lastRefusal = 0 } }: HttpTarget): number {
      const until = Math.max(suspectUntil, own.get(listenerId) ?? 0);
      return Math.max(lastSuccess, lastRefusal) > until - SUSPECT_MS ? 0 : until;
    },

    /** `at` is the start of an attempt that failed about the receiver, epoch ms. */
    async add(listenerId: ListenerId, at: number): Promise<void> {
      if ((own.get(listenerId) ?? 0) > at + SUSPECT_MS - SPACING_MS) return;
      if (own.size > MAX_SUSPECTS) own.clear();
      own.set(listenerId, at + SUSPECT_MS);
      if (isWebhookId(listenerId)) await webhooks.suspect(listenerId, at + SUSPECT_MS);
    },

    /**
     * Ends a suspicion of this instance after an attempt that began at `at`, epoch ms. False if there is none, or a
     * newer one.
     */
    end: (listenerId: ListenerId, at: number): boolean =>
      (own.get(listenerId) ?? Infinity) - SUSPECT_MS <= at && own.delete(listenerId),
  };
}
