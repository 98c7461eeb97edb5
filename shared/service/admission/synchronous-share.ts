import { ServiceError } from '../../domain/errors.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import { MAX_SYNCHRONOUS_RUNS } from '../../domain/run-limits.ts';
import { FairPermits, type WaitingWork } from '../../lib/sharing/fair-permits.ts';
import { hasFairShare } from '../../lib/sharing/fair-share.ts';

export interface ShareOptions {
  /** Synchronous runs of a user at the same time. */
  perUser: number;
  /** Requests of a user that may wait; more are refused at once. */
  waiting: number;
  /** Longest wait before a request is refused. */
  waitMs: number;
}

export const DEFAULT_SHARE: ShareOptions = { perUser: MAX_SYNCHRONOUS_RUNS, waiting: 1_000, waitMs: 5_000 };

/**
 * Limits the synchronous runs of this process, so that slow sources of one user take neither the processes of other
 * users nor those of the user's other sources.
 */
export class SynchronousShare {
  readonly #owners = new Map<UserId, FairPermits>();
  readonly #isOnlySource: (ownerId: UserId) => Promise<boolean>;
  readonly #options: ShareOptions;

  constructor(isOnlySource: (ownerId: UserId) => Promise<boolean>, options: ShareOptions = DEFAULT_SHARE) {
    this.#isOnlySource = isOnlySource;
    this.#options = options;
  }

  /** Waits for a free permit. Throws `overloaded` when none becomes free in time. */
  async run<T>({ sourceId, ownerId }: { sourceId: SourceId; ownerId: UserId }, work: () => Promise<T>): Promise<T> {
    const isOnlyParty = !this.#permitsOf(ownerId).isFree(sourceId) && (await this.#isOnlySource(ownerId));
    const permits = this.#permitsOf(ownerId);
    try {
      await this.#permit(permits, sourceId, isOnlyParty);
      try {
        return await work();
      } finally {
        permits.release(sourceId);
      }
    } finally {
      if (permits.isIdle) this.#owners.delete(ownerId);
    }
  }

  #permitsOf(ownerId: UserId): FairPermits {
    const permits = this.#owners.get(ownerId) ?? new FairPermits(this.#options.perUser);
    this.#owners.set(ownerId, permits);
    return permits;
  }

  #permit(permits: FairPermits, party: SourceId, isOnlyParty: boolean): Promise<void> {
    const use = {
      limit: this.#options.waiting,
      usedByAll: permits.waiting,
      usedByOne: permits.waitingOf(party),
    };
    if (!hasFairShare(use, isOnlyParty)) throw overloaded();
    return new Promise((resolve, reject) => {
      const request: WaitingWork = {
        party,
        isOnlyParty,
        start() {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        permits.remove(request);
        reject(overloaded());
      }, this.#options.waitMs);
      permits.add(request);
    });
  }
}

const overloaded = () =>
  new ServiceError(
    'overloaded',
    'This source, or all sources of its owner, have too many synchronous runs at the moment; try again shortly.',
    { retryAfterSeconds: 5 },
  );
