/** A body that is not complete. */
export interface UnfinishedBody {
  /** The client that sends it. */
  readonly network: string;
  /** Called after the pool has given up its bytes. */
  evict(): void;
}

interface Holder {
  bytes: number;
  /** Bytes of each body, the oldest body first. */
  readonly bodies: Map<UnfinishedBody, number>;
}

/**
 * The bytes of unfinished bodies of all connections. When they exceed the total, the oldest body of the client with the
 * most bytes goes: a client that opens many bodies loses its own.
 */
export class BodyPool {
  readonly #total: number;
  #held = 0;
  readonly #holders = new Map<string, Holder>();

  constructor(total: number) {
    this.#total = total;
  }

  get held(): number {
    return this.#held;
  }

  /** Sets the bytes of a body. The body itself may be evicted. */
  hold(body: UnfinishedBody, bytes: number): void {
    let holder = this.#holders.get(body.network);
    if (!holder) this.#holders.set(body.network, (holder = { bytes: 0, bodies: new Map() }));
    const more = bytes - (holder.bodies.get(body) ?? 0);
    holder.bodies.set(body, bytes);
    holder.bytes += more;
    this.#held += more;
    while (this.#held > this.#total) this.#evictOne();
  }

  release(body: UnfinishedBody): void {
    const holder = this.#holders.get(body.network);
    const bytes = holder?.bodies.get(body);
    if (!holder || bytes === undefined) return;
    holder.bodies.delete(body);
    holder.bytes -= bytes;
    this.#held -= bytes;
    if (holder.bodies.size === 0) this.#holders.delete(body.network);
  }

  #evictOne(): void {
    let most: Holder | undefined;
    for (const holder of this.#holders.values()) if (holder.bytes > (most?.bytes ?? 0)) most = holder;
    const [oldest] = most?.bodies.keys() ?? [];
    if (!oldest) return;
    this.release(oldest);
    oldest.evict();
  }
}
