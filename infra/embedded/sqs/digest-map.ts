/** An entry is the first two words of its digest, then its value + 1; 0 marks a free slot. */
const WORDS = 3;
const FIRST_PLACES = 256;
/** Share of the slots that may be taken. */
const MAX_LOAD = 0.7;

/**
 * Digests, each with a small number. They are outside of the heap: an entry takes 17 to 34 bytes and none of the garbage collector's
 * time, where a `Map` of texts takes 130 bytes. A digest replaces another one with the same first 64 bits. Entries cannot be removed one
 * by one.
 */
export class DigestMap {
  #words = new Uint32Array(WORDS * FIRST_PLACES);
  #size = 0;

  /** Undefined for a digest that was never set. */
  get(digest: Uint32Array): number | undefined {
    const value = this.#words[this.#slotOf(digest) + 2] ?? 0;
    return value === 0 ? undefined : value - 1;
  }

  set(digest: Uint32Array, value: number): void {
    const slot = this.#slotOf(digest);
    const words = this.#words;
    const isNew = words[slot + 2] === 0;
    words[slot] = digest[0] ?? 0;
    words[slot + 1] = digest[1] ?? 0;
    words[slot + 2] = value + 1;
    if (isNew && (this.#size += 1) * WORDS > words.length * MAX_LOAD) this.#grow();
  }

  /** The slot of the digest, or the free slot where it would be. A digest is random, so its first word says where to look. */
  #slotOf([a = 0, b = 0]: Uint32Array): number {
    const words = this.#words;
    const slots = words.length / WORDS;
    for (let slot = (a % slots) * WORDS; ; slot = (slot + WORDS) % words.length)
      if (words[slot + 2] === 0 || (words[slot] === a && words[slot + 1] === b)) return slot;
  }

  #grow(): void {
    const before = this.#words;
    this.#words = new Uint32Array(2 * before.length);
    for (let from = 0; from < before.length; from += WORDS) {
      if (before[from + 2] === 0) continue;
      const entry = before.subarray(from, from + WORDS);
      this.#words.set(entry, this.#slotOf(entry));
    }
  }
}
