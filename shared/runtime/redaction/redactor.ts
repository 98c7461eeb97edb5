import { type Dict, isDict } from '../guards.ts';
import { Matcher, REDACTED } from './matcher.ts';

/** A smaller number is a count or a flag. */
const SHORTEST_NUMBER = 4;

/** Replaces credentials by `[hidden]`: docs/isolation.md lists the forms and places that it recognises. */
export class Redactor {
  readonly #credentials: Matcher;
  readonly #numbers: ReadonlySet<string>;

  constructor(credentials: ReadonlySet<string>) {
    this.#credentials = new Matcher([...credentials]);
    this.#numbers = new Set([...credentials].filter(({ length }) => length >= SHORTEST_NUMBER));
  }

  inText(text: string): string {
    return this.#credentials.redact(text);
  }

  /** The same for a value that JSON can hold; the value itself when it shows no credential. */
  inValue(value: unknown): unknown {
    if (typeof value === 'string') return this.inText(value);
    if (typeof value === 'number') return this.#numbers.has(String(value)) ? REDACTED : value;
    if (Array.isArray(value)) return this.#inArray(value);
    return isDict(value) ? this.#inObject(value) : value;
  }

  #inArray(items: readonly unknown[]): unknown {
    const shown = items.map((item) => this.inValue(item));
    return shown.every((item, index) => item === items[index]) ? items : shown;
  }

  #inObject(value: Dict): unknown {
    let isSame = true;
    const members = Object.entries(value).map(([name, inner]): [string, unknown] => {
      const shown: [string, unknown] = [this.inText(name), this.inValue(inner)];
      if (shown[0] !== name || shown[1] !== inner) isSame = false;
      return shown;
    });
    return isSame ? value : Object.fromEntries(members);
  }

  /** The same for JSON, which stays as it is to the letter when it holds no credential. */
  inJson(json: string): string {
    if (!this.#credentials.mayOccurIn(json)) return json;
    try {
      const value: unknown = JSON.parse(json);
      const shown = this.inValue(value);
      return shown === value ? json : JSON.stringify(shown);
    } catch (error) {
      // Nested so deeply that the stack overflows.
      if (error instanceof RangeError) return JSON.stringify(REDACTED);
      throw error;
    }
  }
}
