/** The most bytes that a UTF-16 unit of JSON text takes when the text is quoted again: JSON contains no bare control characters. */
const LONGEST_QUOTED = 3;

/** The total size of JSON texts when each is quoted as a string of another JSON document. Counts bytes only if the bound is not enough. */
export class QuotedSize {
  #bound = 0;
  #counted = 0;
  #uncounted: string[] = [];

  add(json: string): void {
    this.#bound += json.length * LONGEST_QUOTED;
    this.#uncounted.push(json);
  }

  exceeds(bytes: number): boolean {
    if (this.#bound <= bytes) return false;
    for (const json of this.#uncounted) this.#counted += Buffer.byteLength(JSON.stringify(json));
    this.#uncounted = [];
    this.#bound = this.#counted;
    return this.#bound > bytes;
  }
}
