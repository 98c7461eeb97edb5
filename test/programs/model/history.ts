/**
 * The requests of a user and the responses of the service. Times are positions in the order of all requests: each
 * beginning and each end of a request has the next number. A request without a success may or may not have had its
 * effect.
 */
export interface Request {
  readonly startedAt: number;
  /** Infinity while it runs. */
  endedAt: number;
  isAcknowledged: boolean;
}

/** One event that a user asked for. `n` is unique. */
export interface Sent extends Request {
  readonly n: string;
  readonly emitterId: string;
  readonly stream: string;
}

/** Requests that switch something on or off: a subscription, a webhook, a source. */
export interface Change extends Request {
  readonly to: 'on' | 'off';
  /** A subscription with the filter of the model. */
  readonly isFiltered?: boolean;
}

interface SubscriptionKey {
  /** Id, `dc_*` or `p_*`. */
  readonly emitter: string;
  readonly listenerId: string;
  readonly stream: string;
}

export interface Subscribed extends SubscriptionKey {
  readonly changes: Change[];
}

interface DeletedEvents extends Request {
  readonly emitterId: string;
}

export class History {
  readonly sent: Sent[] = [];
  /** Requests that delete all events of an emitter. */
  readonly deletions: DeletedEvents[] = [];
  readonly #subscribed = new Map<string, Subscribed>();
  readonly #lives = new Map<string, Change[]>();
  #now = 0;

  /** Records a request from its beginning to its end. `play` answers whether the service acknowledged it. */
  async record(request: Request, play: () => Promise<boolean>): Promise<void> {
    try {
      request.isAcknowledged = await play();
    } finally {
      request.endedAt = this.#next();
    }
  }

  begin(): Request {
    return { startedAt: this.#next(), endedAt: Number.POSITIVE_INFINITY, isAcknowledged: false };
  }

  beginSent(event: Pick<Sent, 'n' | 'emitterId' | 'stream'>): Sent {
    const sent = { ...event, ...this.begin() };
    this.sent.push(sent);
    return sent;
  }

  beginDeletion(emitterId: string): DeletedEvents {
    const deletion = { emitterId, ...this.begin() };
    this.deletions.push(deletion);
    return deletion;
  }

  /** The event that was sent to this emitter itself. */
  sentAs(emitterId: string, n: string): Sent | undefined {
    return this.sent.find((event) => event.emitterId === emitterId && event.n === n);
  }

  beginSubscription(key: SubscriptionKey, to: Change['to'], isFiltered = false): Change {
    const name = JSON.stringify([key.emitter, key.listenerId, key.stream]);
    const subscribed = this.#subscribed.get(name) ?? { ...key, changes: [] };
    this.#subscribed.set(name, subscribed);
    return this.#change(subscribed.changes, to, isFiltered);
  }

  /** A listener or an emitter is made, deleted, or switched off by its own responses. */
  beginLife(id: string, to: Change['to']): Change {
    const changes = this.#lives.get(id) ?? [];
    this.#lives.set(id, changes);
    return this.#change(changes, to);
  }

  get subscriptions(): readonly Subscribed[] {
    return [...this.#subscribed.values()];
  }

  livesOf(id: string): readonly Change[] {
    return this.#lives.get(id) ?? [];
  }

  #change(changes: Change[], to: Change['to'], isFiltered = false): Change {
    const change = { to, isFiltered, ...this.begin() };
    changes.push(change);
    return change;
  }

  #next(): number {
    return (this.#now += 1);
  }
}

/** Whether it was on from then until now, whatever unacknowledged requests did. */
export const isSurelyOnSince = (changes: readonly Change[], at: number): boolean =>
  changes.some(
    (on) =>
      on.to === 'on' &&
      on.isAcknowledged &&
      on.endedAt <= at &&
      !changes.some((off) => off.to === 'off' && off.endedAt > on.startedAt),
  );

/** Whether it was on at some time since then, if unacknowledged requests had their effect. */
export const mayBeOnSince = (changes: readonly Change[], at: number): boolean =>
  changes.some(
    (on) =>
      on.to === 'on' &&
      !changes.some(
        (off) => off.to === 'off' && off.isAcknowledged && off.startedAt >= on.endedAt && off.endedAt <= at,
      ),
  );
