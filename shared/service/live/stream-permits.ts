import { ServiceError } from '../../domain/errors.ts';
import type { UserId } from '../../domain/id.ts';
import { endedFor, firstToEnd, permitEnd, type TokenUse } from '../../domain/live/token-streams.ts';
import type { StreamPermitStore } from '../../store/emitters/run-permits.ts';

interface StreamPermitOptions {
  store: StreamPermitStore;
  /** Live streams of one user at a time. */
  limit: number;
  now(): number;
}

interface PermitRequest {
  userId: UserId;
  /** Absent for a stream that an API key opens. */
  token: TokenUse | undefined;
  address: string;
  /** Called, maybe before `take` resolves, when the stream must end for a newer one. */
  onEnd: () => void;
}

export interface StreamPermit {
  /** Whether a newer stream has not ended this one, in this process or in another. */
  isValid(): Promise<boolean>;
  release(): Promise<void>;
}

/** The live streams of each user, which are limited. A new stream of a token may end an earlier one. */
export class StreamPermits {
  readonly #options: StreamPermitOptions;
  /** The streams of this process. */
  readonly #ends = new Map<string, () => void>();

  constructor(options: StreamPermitOptions) {
    this.#options = options;
  }

  async take({ userId, token, address, onEnd }: PermitRequest): Promise<StreamPermit> {
    const permit = token ? await this.#takeByToken(token, { userId, address, onEnd }) : await this.#takeOne(userId, '');
    if (permit === undefined) throw tooManyStreams(this.#options.limit);
    return {
      isValid: async () => token === undefined || (await this.#taken(userId)).has(permit),
      release: async () => {
        this.#ends.delete(permit);
        // A permit that is not given back becomes void.
        await this.#options.store.release(userId, permit).catch(() => undefined);
      },
    };
  }

  async #takeByToken(
    token: TokenUse,
    { userId, address, onEnd }: Omit<PermitRequest, 'token'>,
  ): Promise<string | undefined> {
    const end = permitEnd(token, { address, now: this.#options.now() });
    const permit =
      (await this.#takeOne(userId, end)) ??
      ((await this.#endOneOf(token, userId)) ? await this.#takeOne(userId, end) : undefined);
    if (permit === undefined) return undefined;
    this.#ends.set(permit, onEnd);
    try {
      const ended = endedFor(token, await this.#taken(userId), this.#options.limit);
      for (const each of ended ?? [permit]) await this.#end(userId, each);
      return ended && permit;
    } catch (error) {
      await this.#end(userId, permit).catch(() => undefined);
      throw error;
    }
  }

  /** Ends a stream of the same token when the user has no permit left. False when there is none. */
  async #endOneOf(token: TokenUse, userId: UserId): Promise<boolean> {
    const permit = firstToEnd(token, await this.#taken(userId));
    if (permit === undefined) return false;
    await this.#end(userId, permit);
    return true;
  }

  #takeOne(userId: UserId, end: string): Promise<string | undefined> {
    const { store, limit, now } = this.#options;
    return store.take(userId, { limit, now: now(), end });
  }

  #taken(userId: UserId): Promise<ReadonlySet<string>> {
    return this.#options.store.taken(userId, this.#options.now());
  }

  async #end(userId: UserId, permit: string): Promise<void> {
    this.#ends.get(permit)?.();
    this.#ends.delete(permit);
    await this.#options.store.release(userId, permit);
  }
}

const tooManyStreams = (limit: number) =>
  new ServiceError(
    'too_many_live_streams',
    `You already follow ${limit} live streams; close one, or try again when one has ended.`,
    { retryAfterSeconds: 15 },
  );
