/** An entry is the four words of its digest, then its value + 1; 0 marks a free place. */
const WORDS = 5;
const FIRST_PLACES = 256;
/** Share of the places that may be taken. */
const MAX_LOAD = 0.7;

/**
 * Digests of 16 bytes, each with a small number. They are outside of the heap: an entry takes about 35 bytes and none of the garbage
 * collector's time, where a `Map` of texts takes 130 bytes. Entries cannot be removed one by one.
 */
export class DigestMap {
  #words = new Uint32Array(WORDS * FIRST_PLACES);
  #size = 0;

  /** Undefined for a digest that was never set. */
  get(digest: Uint32Array): number | undefined {
    const value = this.#words[this.#placeOf(digest) + 4] ?? 0;
    return value === 0 ? undefined : value - 1;
  }

  set(digest: Uint32Array, value: number): void {
    const place = this.#placeOf(digest);
    const isNew = this.#words[place + 4] === 0;
    this.#words.set(digest, place);
    this.#words[place + 4] = value + 1;
    if (isNew && (this.#size += 1) * WORDS > this.#words.length * MAX_LOAD) this.#grow();
  }

  *digests(): Generator<Uint32Array, undefined> {
    for (let place = 0; place < this.#words.length; place += WORDS)
      if (this.#words[place + 4] !== 0) yield this.#words.slice(place, place + 4);
  }

  /** The place of the digest, or the free place where it would be. A digest is random, so its first word says where to look. */
  #placeOf(digest: Uint32Array): number {
    const words = this.#words;
    const [a, b, c, d] = digest;
    const places = words.length / WORDS;
    for (let place = ((a ?? 0) % places) * WORDS; ; place = (place + WORDS) % words.length) {
      if (words[place + 4] === 0) return place;
      if (words[place] !== a || words[place + 1] !== b) continue;
      if (words[place + 2] === c && words[place + 3] === d) return place;
    }
  }

  #grow(): void {
    const before = this.#words;
    this.#words = new Uint32Array(2 * before.length);
    for (let from = 0; from < before.length; from += WORDS) {
      if (before[from + 4] === 0) continue;
      const entry = before.subarray(from, from + WORDS);
      this.#words.set(entry, this.#placeOf(entry));
    }
  }
}
