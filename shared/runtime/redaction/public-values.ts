import { isShort } from './account-fields.ts';
import { alternatives, aWord, spelled } from './spellings.ts';

/** Of one character, in its longest spelling: `\\u00e9`, and more of them for what lies beyond. */
const LONGEST_SPELLING = 14;

/**
 * Which values the outside has said of its own: what it said first is no secret of the account's, and data that holds it stays as it is.
 * Only values that are waited for are heard.
 */
export class Outside {
  readonly #said = new Set<string>();
  #awaited: [value: string, pattern: RegExp][] = [];
  /** Any of them; undefined when there is nothing to wait for. */
  #any: RegExp | undefined;
  #reach = 0;

  /** Longest text in which one of them may stand. */
  get reach(): number {
    return this.#reach;
  }

  get isListening(): boolean {
    return this.#any !== undefined;
  }

  /** Grows by one with each value that is heard. */
  get count(): number {
    return this.#said.size;
  }

  hasSaid(value: string): boolean {
    return this.#said.has(value);
  }

  /** Whether one that was not heard yet stands in it. */
  hasNotSaidAll(text: string): boolean {
    return this.#any?.test(text) ?? false;
  }

  /** From here on these and no others. */
  waitFor(values: Iterable<string>): void {
    this.#awaited = [...values]
      .filter((value) => !this.#said.has(value))
      .map((value) => [value, new RegExp(isShort(value) ? aWord(value) : spelled(value))]);
    this.#prepare();
  }

  hear(text: string): void {
    if (!this.#any?.test(text)) return;
    for (const [value, pattern] of this.#awaited) if (pattern.test(text)) this.#said.add(value);
    this.#awaited = this.#awaited.filter(([value]) => !this.#said.has(value));
    this.#prepare();
  }

  #prepare(): void {
    const sources = this.#awaited.map(([, { source }]) => source);
    this.#any = sources.length === 0 ? undefined : new RegExp(alternatives(sources));
    this.#reach = Math.max(0, ...this.#awaited.map(([value]) => value.length * LONGEST_SPELLING));
  }
}
