import { awaitsAttempt } from '../../domain/delivery/delivery.ts';
import { isRecoverable } from '../../domain/delivery/recovery.ts';
import type { DeliveryId } from '../../domain/id.ts';
import { isReceiving, webhookWork, workMessage } from '../../domain/webhook/webhook.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import type { RecoveryProgress } from './recovery-progress.ts';
import type { RetryServices } from './retry.ts';

const CONCURRENT_MOVES = 25;
/** Seconds between two counts of the attempts: more for a recovery that takes long. */
const COUNT_SECONDS = 5;
const LONGEST_COUNT_SECONDS = 300;

/**
 * One chunk of the recovery of an ordered webhook. The recovery puts its deliveries back into the order of their
 * emitters, while the drain stands still; so they come before newer ones, and the drain sends all of them. Then it
 * counts their attempts.
 */
export class OrderedChunk {
  readonly #services: RetryServices;
  readonly #progress: RecoveryProgress;

  constructor(services: RetryServices, progress: RecoveryProgress) {
    this.#services = services;
    this.#progress = progress;
  }

  /** Seconds after which the next chunk begins; undefined when the recovery is done. */
  async work(end: number): Promise<number | undefined> {
    const { webhooks, sendRetry } = this.#services;
    const webhook = await webhooks.find(this.#progress.listenerId);
    if (!webhook || !isReceiving(webhook)) return this.#progress.finish();
    const isFirst = this.#progress.recovery.isQueued !== true;
    if (isFirst && !(await this.#enqueue(end))) return 0;
    const work = webhookWork(webhook);
    // A process may have died before it sent the message. An open breaker is probed once.
    if (isFirst || work.kind === 'drain') await sendRetry(workMessage(webhook.id, work), 0);
    return this.#count(end);
  }

  /** Puts the deliveries back. False when there are more. */
  async #enqueue(end: number): Promise<boolean> {
    const { now } = this.#services;
    let moving: StoredDelivery[] = [];
    let position: DeliveryId | undefined;
    const flush = async () => {
      await Promise.all(moving.map((delivery) => this.#put(delivery)));
      moving = [];
    };
    for await (const delivery of this.#progress.candidates()) {
      if (isRecoverable(delivery) && delivery.recovery !== this.#progress.recovery.id) moving.push(delivery);
      position = delivery.id;
      if (moving.length === CONCURRENT_MOVES) await flush();
      if (now() < end) continue;
      await flush();
      await this.#progress.save({ position });
      return false;
    }
    await flush();
    await this.#progress.save({ position: undefined, isQueued: true });
    return true;
  }

  /** A delivery that changed since it was read is read again. */
  async #put(delivery: StoredDelivery): Promise<void> {
    const { deliveries } = this.#services;
    for (let current: StoredDelivery | undefined = delivery; current && isRecoverable(current);) {
      if (await deliveries.enqueue(current, this.#progress.recovery.id)) return;
      current = await deliveries.find(delivery.listenerId, delivery.id);
    }
  }

  /** Counts the deliveries from the first on whose attempts ended. */
  async #count(end: number): Promise<number | undefined> {
    const { now } = this.#services;
    const { id, startedAt } = this.#progress.recovery;
    let { position, sent, delivered = 0 } = this.#progress.recovery;
    const save = () => this.#progress.save({ position, sent, delivered });
    for await (const delivery of this.#progress.candidates()) {
      const isAttempted = !awaitsAttempt(delivery) || (delivery.lastAttempt?.at ?? 0) >= startedAt;
      if (delivery.recovery === id && !isAttempted) {
        await save();
        return Math.min(COUNT_SECONDS + Math.floor((now() - startedAt) / 60_000), LONGEST_COUNT_SECONDS);
      }
      position = delivery.id;
      if (delivery.recovery === id) sent += 1;
      if (delivery.recovery === id && delivery.status === 'delivered') delivered += 1;
      if (now() < end) continue;
      await save();
      return 0;
    }
    await save();
    return this.#progress.finish();
  }
}
