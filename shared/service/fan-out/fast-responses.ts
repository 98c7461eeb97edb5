import type { ListenerId } from '../../domain/id.ts';

const MAX_LISTENERS = 10_000;

/**
 * Counts the responses of each listener that are not recorded one by one. The next recorded attempt stores the count.
 */
export class FastResponses {
  readonly #counts = new Map<ListenerId, number>();

  count(listenerId: ListenerId): void {
    if (this.#counts.size >= MAX_LISTENERS) this.#counts.clear();
    this.#counts.set(listenerId, (this.#counts.get(listenerId) ?? 0) + 1);
  }

  take(listenerId: ListenerId): number {
    const count = this.#counts.get(listenerId) ?? 0;
    this.#counts.delete(listenerId);
    return count;
  }
}
