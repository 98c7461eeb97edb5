import { type HiddenValues, isShort } from './account-fields.ts';
import { Base64Spellings } from './base64-spellings.ts';
import { ByteSpellings } from './byte-spellings.ts';
import { CutSpellings } from './cut-spellings.ts';
import { isDict } from '../guards.ts';
import type { Outside } from './public-values.ts';
import { alternatives, inCharacters, longLines, standing } from './spellings.ts';

export interface Hiding {
  /** For logs and errors: every value. */
  inText: (text: string) => string;
  /** For events and answers: all of them but those that the outside has said. */
  inEvent: (value: unknown) => unknown;
  /** The same for one text. */
  inString: (text: string) => string;
  /** The same for JSON, which stays as it is when there is nothing to hide. */
  inJson: (json: string) => string;
  /** For names that mean something to us, which only credentials are kept out of. */
  inName: (text: string) => string;
}

const HIDDEN = '[hidden]';
/** Smaller numbers are counts and flags. */
const SHORTEST_NUMBER = 4;

type Replace = (text: string) => string;

const asIs: Hiding = {
  inText: (text) => text,
  inEvent: (value) => value,
  inString: (text) => text,
  inJson: (json) => json,
  inName: (text) => text,
};

/** Keeps these values in: see docs/isolation.md for what is shown where. */
export function hiding({ credentials, others }: HiddenValues, outside: Outside): Hiding {
  if (credentials.size + others.size === 0) return asIs;
  const inName = onceAsked(() => replacing([...credentials]));
  const inText = onceAsked(() => replacing([...credentials, ...others], { quotes: true }));
  let inEvent: Hide | undefined;
  let heard = -1;
  const current = (): Hide => {
    if (inEvent && heard === outside.count) return inEvent;
    heard = outside.count;
    inEvent = new Hide([...credentials, ...[...others].filter((value) => !outside.hasSaid(value))]);
    return inEvent;
  };
  return {
    inText,
    inEvent: (value) => current().inValue(value),
    inString: (text) => current().inString(text),
    inJson: (json) => current().inJson(json),
    inName,
  };
}

/** Most jobs say nothing that these are needed for, and making them takes longer than using them. */
function onceAsked(make: () => Replace): Replace {
  let made: Replace | undefined;
  return (text) => (made ??= make())(text);
}

/** The longest first, since one may contain another; and in texts of several lines each of them. */
function replacing(values: readonly string[], dots: { quotes?: boolean } = {}): Replace {
  if (values.length === 0) return (text) => text;
  const all = [...new Set([...values, ...values.flatMap(longLines)])].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    alternatives(all.map((value) => (isShort(value) ? standing(value) : inCharacters(value)))),
    'g',
  );
  const { base64, bytes, cuts } = encodings(values);
  return (text) => {
    const shown = base64.replace(text.replace(pattern, HIDDEN), HIDDEN);
    return cuts.replace(bytes.replace(shown, HIDDEN), HIDDEN, dots);
  };
}

/** Of values that are long enough to be told from anything else. */
function encodings(values: readonly string[]) {
  const long = values.filter((value) => !isShort(value));
  const lines = long.flatMap(longLines);
  return {
    base64: new Base64Spellings(long, lines),
    bytes: new ByteSpellings(long, lines),
    cuts: new CutSpellings([...long, ...lines]),
  };
}

/** Hides values in what is JSON, and leaves JSON. */
class Hide {
  readonly inString: Replace;
  readonly #numbers: ReadonlySet<string>;
  readonly #bytes: ByteSpellings;
  /** What has none of these holds none of the values. */
  readonly #hasTrace: (json: string) => boolean;

  constructor(values: readonly string[]) {
    this.inString = onceAsked(() => replacing(values));
    this.#numbers = new Set(values.filter((value) => value.length >= SHORTEST_NUMBER));
    const { base64, bytes, cuts } = encodings(values);
    this.#bytes = bytes;
    const sources = [...values, ...values.flatMap(longLines)].map(inCharacters);
    const pattern = sources.length === 0 ? undefined : new RegExp(alternatives(sources));
    this.#hasTrace = (json) =>
      pattern !== undefined &&
      (pattern.test(json) || base64.isIn(json) || bytes.isIn(json) || cuts.isIn(json));
  }

  inValue(value: unknown): unknown {
    if (typeof value === 'string') return this.inString(value);
    if (typeof value === 'number') return this.#numbers.has(String(value)) ? HIDDEN : value;
    if (Array.isArray(value))
      return this.#withoutBytes(value, value, () => HIDDEN).map((item) => this.inValue(item));
    if (!isDict(value)) return value;
    const members = this.#withoutBytes<[string, unknown]>(
      Object.entries(value),
      Object.values(value),
      ([name]) => [name, HIDDEN],
    );
    return Object.fromEntries(members.map(([name, inner]) => [this.inString(name), this.inValue(inner)]));
  }

  /** One item in the place of those that are the bytes of a value. */
  #withoutBytes<Item>(items: Item[], values: readonly unknown[], hidden: (item: Item) => Item): Item[] {
    const left = [...items];
    for (const [start, end] of this.#bytes.within(values).reverse())
      left.splice(start, end - start, ...left.slice(start, start + 1).map(hidden));
    return left;
  }

  inJson(json: string): string {
    if (!this.#hasTrace(json)) return json;
    try {
      const value: unknown = JSON.parse(json);
      const shown = JSON.stringify(this.inValue(value));
      return shown === JSON.stringify(value) ? json : shown;
    } catch (error) {
      // Nested deeper than anybody can follow.
      if (error instanceof RangeError) return JSON.stringify(HIDDEN);
      throw error;
    }
  }
}
