/**
 * A number of bytes that all connections share. One client may hold at most half of them, so that it never starves the
 * others.
 */
export class ByteBudget {
  readonly #total: number;
  #held = 0;
  readonly #heldBy = new Map<string, number>();

  constructor(total: number) {
    this.#total = total;
  }

  get held(): number {
    return this.#held;
  }

  /** False, and nothing is taken, if the bytes are not free. */
  take(network: string, bytes: number): boolean {
    const own = (this.#heldBy.get(network) ?? 0) + bytes;
    if (this.#held + bytes > this.#total || own > this.#total / 2) return false;
    this.#held += bytes;
    this.#heldBy.set(network, own);
    return true;
  }

  release(network: string, bytes: number): void {
    this.#held -= bytes;
    const own = (this.#heldBy.get(network) ?? 0) - bytes;
    if (own > 0) this.#heldBy.set(network, own);
    else this.#heldBy.delete(network);
  }
}
