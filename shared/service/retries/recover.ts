import type { DeliveryId } from '../../domain/id.ts';
import type { RetryMessageOf } from '../../domain/run/message.ts';
import { secondsUntil } from '../../domain/run/queue-delay.ts';
import { isRecoverable } from '../../domain/delivery/recovery.ts';
import { type Webhook, isReceiving } from '../../domain/webhook/webhook.ts';
import type { Breaker } from '../../domain/webhook/breaker.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { FOLLOW_SECONDS } from '../../store/deliveries/drain-leases.ts';
import { attemptDelivery } from '../delivery/attempt-delivery.ts';
import { targetOfWebhook } from '../delivery/http-target.ts';
import { NO_SLOT_SECONDS, WORKER_MS } from './drain.ts';
import { Pace, pacedAttempts } from './paced-attempts.ts';
import { OrderedChunk } from './recover-in-order.ts';
import { RecoveryProgress } from './recovery-progress.ts';
import { BUSY_SECONDS, type RetryServices } from './retry.ts';

/**
 * Sends the next chunk of a recovery, oldest first. A chunk whose process died is repeated, and continues at its last
 * position. The message of an earlier chunk is void. A message that arrives while a chunk is sent waits until that
 * chunk has ended: otherwise each message that SQS repeats would start another worker.
 */
export const createRecover =
  (services: RetryServices) =>
  async (message: RetryMessageOf<'recover'>): Promise<void> => {
    const { recoveries, leases, sendRetry, now } = services;
    const { listenerId, recoveryId } = message;
    const recovery = await recoveries.find(listenerId);
    if (recovery?.id !== recoveryId || recovery.status === 'done' || message.part < recovery.chunk) return;
    const release = await leases.acquire(listenerId, now(), 'recovery');
    // SQS may have given the message of the worker to this one, too, which deletes it. The worker may die; otherwise
    // its chunk has ended then.
    if (!release) return sendRetry(message, FOLLOW_SECONDS);
    try {
      const progress = new RecoveryProgress(services, message, recovery);
      const chunk = new (recovery.isQueued === undefined ? Chunk : OrderedChunk)(services, progress);
      const continueIn = await chunk.work(now() + WORKER_MS);
      if (continueIn === undefined) return;
      const next = { ...message, part: message.part + 1 };
      // The message comes first: after a crash in between, this chunk is repeated, and one of two messages of the next
      // chunk is void.
      await sendRetry(next, continueIn);
      await progress.end(next.part);
    } finally {
      await release();
    }
  };

/** The deliveries that one invocation sends. */
class Chunk {
  readonly #services: RetryServices;
  readonly #progress: RecoveryProgress;
  readonly #pace = new Pace();
  /** Every delivery up to this one was sent, or needs no attempt. */
  #passed: DeliveryId | undefined;

  constructor(services: RetryServices, progress: RecoveryProgress) {
    this.#services = services;
    this.#progress = progress;
    this.#passed = progress.recovery.position;
  }

  /** Seconds after which the next chunk begins; undefined when the recovery is done. */
  async work(end: number): Promise<number | undefined> {
    const { webhooks, now } = this.#services;
    const deliveries = this.#progress.candidates();
    let next: StoredDelivery[] = [];
    while (now() < end) {
      const webhook = await webhooks.find(this.#progress.listenerId);
      if (!webhook || !isReceiving(webhook)) return this.#progress.finish();
      const { breaker } = webhook.health;
      // The first attempt of a recovery probes an open breaker, as does each while no probe is on its way.
      if (breaker && !breaker.isIdle && this.#progress.recovery.sent > 0) return this.#secondsToProbe(breaker);
      const size = breaker ? 1 : this.#pace.size;
      const isWhole = await this.#fill(next, { deliveries, size, end });
      if (next.length === 0 && isWhole) return this.#progress.finish();
      if (next.length === 0) break;
      const chosen = next.slice(0, size);
      const { ended, delivered, isBusy } = await this.#send(webhook, chosen);
      await this.#advance(chosen.slice(0, ended), delivered);
      if (isBusy) return BUSY_SECONDS;
      if (ended === 0) return NO_SLOT_SECONDS;
      next = next.slice(ended);
    }
    // Deliveries that need no attempt are not read again.
    if (next.length === 0) await this.#progress.save({ position: this.#passed });
    return 0;
  }

  /** Reads on until so many deliveries are to be sent. True when all were read. */
  async #fill(
    next: StoredDelivery[],
    { deliveries, size, end }: { deliveries: AsyncGenerator<StoredDelivery>; size: number; end: number },
  ): Promise<boolean> {
    while (next.length < size && this.#services.now() < end) {
      const { done, value } = await deliveries.next();
      if (done) return true;
      if (isRecoverable(value) || this.#isSent(value)) next.push(value);
      else if (next.length === 0) this.#passed = value.id;
    }
    return false;
  }

  /**
   * The number of deliveries from the first on whose attempts ended, how many of them delivered, and whether other
   * attempts are under way.
   */
  async #send(
    webhook: Webhook,
    items: readonly StoredDelivery[],
  ): Promise<{ ended: number; delivered: number; isBusy: boolean }> {
    const { slots, now } = this.#services;
    const { health } = webhook;
    const target = targetOfWebhook(webhook, now());
    const busy = new Set<StoredDelivery>();
    const delivered = new Set(items.filter((item) => this.#isSent(item) && item.status === 'delivered'));
    let hasFailed = false;
    const attempted = await pacedAttempts({
      slots,
      target,
      items,
      now,
      make: async (delivery) => {
        if (this.#isSent(delivery)) return;
        const result = await attemptDelivery(this.#services, {
          delivery,
          target,
          cause: 'recover',
          recovery: this.#progress.recovery.id,
          ...(health.breaker ? { probe: health.breaker.probe } : {}),
        });
        if (result === 'busy') busy.add(delivery);
        if (result === 'delivered') delivered.add(delivery);
        hasFailed ||= result !== 'delivered';
      },
    });
    this.#pace.after(hasFailed);
    const firstLeft = items.findIndex((item) => busy.has(item) || !attempted.includes(item));
    const ended = firstLeft < 0 ? items.length : firstLeft;
    return {
      ended,
      delivered: items.slice(0, ended).filter((item) => delivered.has(item)).length,
      isBusy: busy.size > 0,
    };
  }

  /** A chunk that ended without saving its position sent it. */
  #isSent = ({ recovery }: StoredDelivery): boolean => recovery === this.#progress.recovery.id;

  #secondsToProbe = ({ probeAt }: Breaker): number => Math.max(secondsUntil(probeAt, this.#services.now()), 1);

  async #advance(sent: readonly StoredDelivery[], delivered: number): Promise<void> {
    const last = sent.at(-1);
    if (!last) return;
    this.#passed = last.id;
    const { sent: before, delivered: deliveredBefore } = this.#progress.recovery;
    await this.#progress.save({
      position: last.id,
      sent: before + sent.length,
      ...(deliveredBefore === undefined ? {} : { delivered: deliveredBefore + delivered }),
    });
  }
}
