import { type HiddenValues, isShort } from './account-fields.ts';
import { isDict } from './guards.ts';
import type { Outside } from './outside.ts';
import { alternatives, longLines, spelled, standing } from './spellings.ts';

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
  const inName = replacing(credentials);
  const inText = replacing([...credentials, ...others]);
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

/** The longest first, since one may contain another; and in texts of several lines each of them. */
function replacing(values: Iterable<string>): Replace {
  const all = [...values].flatMap((value) => [value, ...longLines(value)]);
  if (all.length === 0) return (text) => text;
  const sorted = [...new Set(all)].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    alternatives(sorted.map((value) => (isShort(value) ? standing(value) : spelled(value)))),
    'g',
  );
  return (text) => text.replace(pattern, HIDDEN);
}

/** Hides values in what is JSON, and leaves JSON. */
class Hide {
  readonly inString: Replace;
  readonly #numbers: ReadonlySet<string>;
  /** What has none of these holds none of the values. */
  readonly #trace: RegExp | undefined;

  constructor(values: readonly string[]) {
    this.inString = replacing(values);
    this.#numbers = new Set(values.filter((value) => value.length >= SHORTEST_NUMBER));
    const sources = values.flatMap((value) => [value, ...longLines(value)]).map(spelled);
    this.#trace = sources.length === 0 ? undefined : new RegExp(alternatives(sources));
  }

  inValue(value: unknown): unknown {
    if (typeof value === 'string') return this.inString(value);
    if (typeof value === 'number') return this.#numbers.has(String(value)) ? HIDDEN : value;
    if (Array.isArray(value)) return value.map((item) => this.inValue(item));
    if (!isDict(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.inString(name), this.inValue(inner)]),
    );
  }

  inJson(json: string): string {
    if (!this.#trace?.test(json)) return json;
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
