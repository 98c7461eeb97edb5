import type { Recovery } from '../../domain/delivery/recovery.ts';
import type { RetryMessageOf } from '../../domain/run/message.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { idsAfter, idsBetween } from '../../store/deliveries/delivery-order.ts';
import type { RetryServices } from './retry.ts';

/** The stored state of a recovery, which its chunks continue. */
export class RecoveryProgress {
  readonly #services: Pick<RetryServices, 'deliveries' | 'recoveries' | 'now'>;
  readonly #message: RetryMessageOf<'recover'>;
  recovery: Recovery;

  constructor(
    services: Pick<RetryServices, 'deliveries' | 'recoveries' | 'now'>,
    message: RetryMessageOf<'recover'>,
    recovery: Recovery,
  ) {
    this.#services = services;
    this.#message = message;
    this.recovery = recovery;
  }

  get listenerId() {
    return this.#message.listenerId;
  }

  /** The deliveries of its time after its position, oldest first. */
  candidates(): AsyncGenerator<StoredDelivery> {
    const { since, until, position } = this.recovery;
    const { from, to } = idsBetween(since, until);
    const range = { from: position ? idsAfter(position) : from, to, isUpwards: true };
    return this.#services.deliveries.read(this.listenerId, range);
  }

  /** Makes the messages of chunks before the next one void. */
  end(next: number): Promise<void> {
    return this.save({ chunk: next });
  }

  async finish(): Promise<undefined> {
    await this.save({ status: 'done', finishedAt: this.#services.now() });
    return undefined;
  }

  async save(change: Partial<Recovery>): Promise<void> {
    this.recovery = { ...this.recovery, ...change };
    await this.#services.recoveries.put(this.listenerId, this.recovery, this.recovery.id);
  }
}
