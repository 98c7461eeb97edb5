import { isWebhookId } from '../../domain/id.ts';
import { createLimiter } from '../../domain/limiter.ts';
import type { DeliveryMessage } from '../../domain/message.ts';
import { FIRST_ATTEMPTS_MS } from '../../domain/time-limits.ts';
import { settleAll } from '../../domain/settle-all.ts';
import { createFirstAttempt, type FirstAttemptOptions } from './first-attempt.ts';
import { createFirstRequests } from './first-request.ts';
import type { LimitHeld } from '../delivery/held-limit.ts';
import { type HttpTarget, openTarget, type OpenTarget } from '../delivery/http-target.ts';
import { ensureSender } from '../delivery/park-delivery.ts';
import { type RateSlotOptions, reserveRate, waitForRate } from '../delivery/rate-slot.ts';
import { createStoreSlow } from './slow-attempts.ts';
import { type DeliveryBatch, newDelivery, type ReadMessage, type StoredFirst } from './stored-first.ts';
import { createSuspects } from './suspects.ts';
import { createUnansweredAttempts } from './unanswered-attempts.ts';

export interface FirstAttemptsOptions extends FirstAttemptOptions, RateSlotOptions {
  limitHeld: LimitHeld;
}

/** A batch that has waited for its first attempts. */
interface FirstBatch extends DeliveryBatch {
  /** False if too many other first attempts were under way all the time. */
  hasPlaces: boolean;
}

/** Deliveries of bad webhooks that are stored at the same time: the requests of the good ones do not wait behind all of them. */
const MAX_STORING = 10;
/** Longest wait for a slot of the rate limit. Deliveries with later slots go on the waiting list, which the drain sends. */
const SLOT_HORIZON_MS = 1_000;

/** Makes the first attempts of deliveries to one target, or stores the deliveries for a later attempt. */
export function createFirstAttempts(options: FirstAttemptsOptions, stored: StoredFirst) {
  const { deliveries, now } = options;
  const suspects = createSuspects(options.webhooks);
  const storing = createLimiter(MAX_STORING);
  const storeSlow = createStoreSlow(options, stored);
  const unanswered = createUnansweredAttempts(now);
  const requests = createFirstRequests(options, { suspects, unanswered });
  const opened = new WeakMap<HttpTarget, Promise<OpenTarget>>();
  const parts = { stored, suspects, storeSlow, requests, park };
  const attemptFirst = createFirstAttempt({ ...options, storing }, parts);

  return async (all: readonly ReadMessage[], target: HttpTarget, batch: FirstBatch): Promise<void> => {
    const isRepeated = all.some(({ message }) => batch.isRepeated(message));
    const read = isRepeated ? await stored.leaveOut(all, target, batch) : all;
    if (read.length === 0) return;
    const leave = leaveOf(target, batch);
    if (leave) await leave(read, target);
    else await attemptOrPark(read, target, batch);
  };

  /** Chooses how deliveries are stored that get no first attempt now. Undefined if they may get one. */
  function leaveOf(target: HttpTarget, { startedAt, hasPlaces }: FirstBatch) {
    if (!target.isActive) return hold;
    if (target.health.breaker || unanswered.areManySlow(target.listenerId)) return park;
    const isLate = now() - startedAt > FIRST_ATTEMPTS_MS;
    return isLate || !hasPlaces || suspects.untilOf(target) > now() ? leaveToRetries : undefined;
  }

  async function attemptOrPark(
    read: readonly ReadMessage[],
    target: HttpTarget,
    batch: DeliveryBatch,
  ): Promise<void> {
    const opening = opened.get(target) ?? openTarget(options, target);
    opened.set(target, opening);
    const open = await opening;
    if (target.rateLimit === null) {
      await settleAll(read.map((item) => attemptFirst({ item, open, batch })));
      return;
    }
    const horizonMs = SLOT_HORIZON_MS;
    const slots = await reserveRate(options, target, { count: read.length, horizonMs });
    const late = read.slice(slots.length);
    await settleAll([
      ...read.slice(0, slots.length).map(async (item, index) => {
        const slot = slots[index] ?? 0;
        if (await waitForRate(options, target, { slot, horizonMs }))
          await attemptFirst({ item, open, batch });
        else await park([item], target);
      }),
      ...(late.length > 0 ? [park(late, target)] : []),
    ]);
  }

  async function hold(read: readonly ReadMessage[], target: HttpTarget): Promise<void> {
    await storeEach(read, (message) =>
      stored.createOrResume(message, target, { status: 'held', place: 'held' }),
    );
    await options.limitHeld(target.listenerId, read.length);
  }

  /** Puts deliveries on the waiting list of their webhook. A workflow has none: the retries get its deliveries. */
  async function park(read: readonly ReadMessage[], target: HttpTarget): Promise<void> {
    if (!isWebhookId(target.listenerId)) return leaveToRetries(read, target);
    await storeEach(read, (message) => stored.createOrResume(message, target, { place: 'waiting' }));
    await ensureSender(options, target.listenerId);
  }

  async function leaveToRetries(read: readonly ReadMessage[], target: HttpTarget): Promise<void> {
    await storeEach(read, async (message) => {
      const delivery = newDelivery(message, target, { nextAt: now() });
      if (await deliveries.create(delivery, message)) await options.sendNext(delivery, delivery);
      else await stored.resume(message, target);
    });
  }

  async function storeEach(
    read: readonly ReadMessage[],
    store: (message: DeliveryMessage) => Promise<void>,
  ): Promise<void> {
    await settleAll(read.map(({ message }) => storing(() => store(message))));
  }
}
