import { ServiceError } from '../../domain/errors.ts';
import type { SourceId, UserId } from '../../domain/id.ts';

export interface ShareOptions {
  /** Synchronous runs at the same time, per source and per user. Each takes a process for up to 25 s. */
  perSource: number;
  perUser: number;
  /** Requests of a user that may wait; more are refused at once. */
  waiting: number;
  /** Longest wait before a request is refused. */
  waitMs: number;
}

export const DEFAULT_SHARE: ShareOptions = { perSource: 10, perUser: 20, waiting: 1_000, waitMs: 5_000 };

interface Owner {
  readonly running: Map<SourceId, number>;
  total: number;
  /** Oldest first. */
  readonly waiting: Set<Waiting>;
}

interface Waiting {
  sourceId: SourceId;
  start: () => void;
}

/** Limits the synchronous runs of this process, so that slow sources of one user do not take the processes of all others. */
export class SynchronousShare {
  readonly #owners = new Map<UserId, Owner>();
  readonly #options: ShareOptions;

  constructor(options: ShareOptions = DEFAULT_SHARE) {
    this.#options = options;
  }

  /** Waits for a free permit. Throws `overloaded` when none becomes free in time. */
  async run<T>(source: { sourceId: SourceId; ownerId: UserId }, work: () => Promise<T>): Promise<T> {
    const { sourceId, ownerId } = source;
    const owner = this.#ownerOf(ownerId);
    if (this.#isFree(owner, sourceId)) this.#take(owner, sourceId);
    else await this.#wait(owner, sourceId);
    try {
      return await work();
    } finally {
      this.#release(owner, sourceId);
      if (owner.total === 0 && owner.waiting.size === 0) this.#owners.delete(ownerId);
    }
  }

  #ownerOf(ownerId: UserId): Owner {
    let owner = this.#owners.get(ownerId);
    if (!owner) this.#owners.set(ownerId, (owner = { running: new Map(), total: 0, waiting: new Set() }));
    return owner;
  }

  #isFree({ running, total }: Owner, sourceId: SourceId): boolean {
    return total < this.#options.perUser && (running.get(sourceId) ?? 0) < this.#options.perSource;
  }

  #take(owner: Owner, sourceId: SourceId): void {
    owner.total += 1;
    owner.running.set(sourceId, (owner.running.get(sourceId) ?? 0) + 1);
  }

  /** Resolves when the permit is taken. */
  #wait(owner: Owner, sourceId: SourceId): Promise<void> {
    if (owner.waiting.size >= this.#options.waiting) throw overloaded();
    return new Promise((resolve, reject) => {
      const request: Waiting = {
        sourceId,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        owner.waiting.delete(request);
        reject(overloaded());
      }, this.#options.waitMs);
      owner.waiting.add(request);
    });
  }

  /** Gives the permit to the oldest waiting request that may run now. */
  #release(owner: Owner, sourceId: SourceId): void {
    owner.total -= 1;
    const left = (owner.running.get(sourceId) ?? 0) - 1;
    if (left > 0) owner.running.set(sourceId, left);
    else owner.running.delete(sourceId);
    for (const request of owner.waiting) {
      if (!this.#isFree(owner, request.sourceId)) continue;
      owner.waiting.delete(request);
      this.#take(owner, request.sourceId);
      request.start();
      return;
    }
  }
}

const overloaded = () =>
  new ServiceError(
    'rate_limited',
    'overloaded',
    'This source, or all sources of its owner, have too many synchronous runs at the moment; try again shortly.',
    { retryAfterSeconds: 5 },
  );
