import type { ListenerId } from '../../domain/id.ts';
import { createLimiter } from '../../lib/limiter.ts';
import { FIRST_ATTEMPTS_MS } from '../../domain/time-limits.ts';
import { settleAll } from '../../lib/settle-all.ts';
import { Timeouts } from '../../lib/timeouts.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import { WINDOW_MS } from '../../domain/webhook/breaker.ts';
import { SLOW_MS } from '../../domain/webhook/slowness.ts';
import { skipsFirstAttempt } from '../../domain/webhook/webhook.ts';
import { formattedBody } from '../formats/formatted-body.ts';
import { type HttpTarget, decryptTarget, type DecryptedTarget } from '../delivery/http-target.ts';
import { reserveRate, waitForRate } from '../delivery/rate-slot.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';
import { createDeferral } from './deferral.ts';
import { FirstAttempt } from './first-attempt.ts';
import { FastResponses } from './fast-responses.ts';
import { createFirstRecord, type FirstAttemptInput } from './first-record.ts';
import type { DeliveryBatch, ReadMessage, StoredFirst } from './stored-first.ts';
import { createSuspects } from './suspects.ts';
import { createUnansweredAttempts } from './unanswered-attempts.ts';

/** A batch that has waited for its first attempts. */
interface FirstBatch extends DeliveryBatch {
  /** False if too many other first attempts were under way all the time. */
  hasPermits: boolean;
}

/**
 * Deliveries of bad webhooks that are stored at the same time: the requests of the good ones do not wait behind all of
 * them.
 */
const MAX_STORING = 10;
const MAX_SUCCESSES = 10_000;
/**
 * Longest wait for a slot of the rate limit. Deliveries with later slots go on the waiting list, which the drain sends.
 */
const SLOT_HORIZON_MS = 1_000;

/** Makes the first attempts of deliveries to one target, or stores the deliveries for a later attempt. */
export function createFirstAttempts(services: DeliveryServices, stored: StoredFirst) {
  const { attempt, attemptCounts, keepsResponse, now } = services;
  const suspects = createSuspects(services.webhooks);
  const storing = createLimiter(MAX_STORING);
  const unanswered = createUnansweredAttempts(now);
  const deferral = createDeferral(services, stored, storing);
  /**
   * Start of the newest success of each webhook in this instance. The log gets a success only at the end of its batch.
   */
  const successes = new TtlCache<ListenerId, number>({ ttlMs: WINDOW_MS, maxEntries: MAX_SUCCESSES, now });
  const record = createFirstRecord(services, {
    stored,
    suspects,
    successes,
    fastResponses: new FastResponses(),
    storing,
  });
  // A first attempt that takes longer is listed as pending meanwhile.
  const slowTimeouts = new Timeouts(SLOW_MS);
  const firstAttempts = {
    attempt,
    suspects,
    unanswered,
    successes,
    slowTimeouts,
    deferral,
    attemptCounts,
    keepsResponse,
    record,
    now,
  };
  const targets = new WeakMap<HttpTarget, Promise<DecryptedTarget>>();

  return async (all: readonly ReadMessage[], target: HttpTarget, batch: FirstBatch): Promise<void> => {
    const isRepeated = all.some(({ message }) => batch.isRepeated(message));
    const read = isRepeated ? await stored.leaveOut(all, target, batch) : all;
    if (read.length === 0) return;
    const leave = leaveOf(target, batch);
    if (leave) await leave(read, target);
    else await attemptOrPark(read, target, batch);
  };

  /** Chooses how deliveries are stored that get no first attempt now. Undefined if they may get one. */
  function leaveOf(target: HttpTarget, { startedAt, hasPermits }: FirstBatch) {
    if (!target.active) return deferral.hold;
    if (target.ordered || skipsFirstAttempt(target) || unanswered.areManySlow(target.listenerId)) return deferral.park;
    const isLate = now() - startedAt > FIRST_ATTEMPTS_MS;
    return isLate || !hasPermits || suspects.untilOf(target) > now() ? deferral.leaveToRetries : undefined;
  }

  function attemptFirst(input: FirstAttemptInput): Promise<void> {
    return new Promise((resolve, reject) => new FirstAttempt(firstAttempts, input, { resolve, reject }).start());
  }

  function formatted(read: readonly ReadMessage[], target: HttpTarget): Promise<ReadMessage[]> {
    const bodies = read.map(async ({ message, body }) => ({
      message,
      body: await formattedBody(services, target, { ...message, body }),
    }));
    return Promise.all(bodies);
  }

  async function attemptOrPark(read: readonly ReadMessage[], target: HttpTarget, batch: DeliveryBatch): Promise<void> {
    const decrypting = targets.get(target) ?? decryptTarget(services, target);
    targets.set(target, decrypting);
    const decrypted = await decrypting;
    const items = target.format === 'event' ? read : await formatted(read, target);
    if (target.rateLimit === null) {
      await settleAll(items.map((item) => attemptFirst({ item, decrypted, batch })));
      return;
    }
    const horizonMs = SLOT_HORIZON_MS;
    const slots = await reserveRate(services, target, { count: items.length, horizonMs });
    const late = items.slice(slots.length);
    await settleAll([
      ...items.slice(0, slots.length).map(async (item, index) => {
        const slot = slots[index] ?? 0;
        if (await waitForRate(services, target, { slot, horizonMs })) await attemptFirst({ item, decrypted, batch });
        else await deferral.park([item], target);
      }),
      ...(late.length > 0 ? [deferral.park(late, target)] : []),
    ]);
  }
}
