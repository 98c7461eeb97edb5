/** A number of bytes that all connections share. One address may hold at most half of them, so that it never starves the others. */
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
  take(address: string, bytes: number): boolean {
    const own = (this.#heldBy.get(address) ?? 0) + bytes;
    if (this.#held + bytes > this.#total || own > this.#total / 2) return false;
    this.#held += bytes;
    this.#heldBy.set(address, own);
    return true;
  }

  release(address: string, bytes: number): void {
    this.#held -= bytes;
    const own = (this.#heldBy.get(address) ?? 0) - bytes;
    if (own > 0) this.#heldBy.set(address, own);
    else this.#heldBy.delete(address);
  }
}
