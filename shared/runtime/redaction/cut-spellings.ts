import { alternatives, base64Cores, escaped, inCharacters, LONG, written } from './spellings.ts';

/** Of a value's beginning: fewer characters occur in ordinary text. */
const SHORTEST_HEAD = 6;
/** Errors of the JSON parser quote as many characters of a text. */
const SHORTEST_QUOTE = 10;
/** Of one character, as JSON in JSON writes it. */
const LONGEST_SPELLING = 14;

/** The end of a text of which the rest was left out. The console, which writes so from 10,000 characters on, says how many those are. */
const CUT = /["'`]?(?:\.{3}|…)( \d+ more characters?)?/g;

/** Finds values of which only the beginning was written. */
export class CutSpellings {
  readonly #values: readonly string[];
  readonly #reach: number;
  /** Made when the first cut is seen. */
  #heads: RegExp | undefined;

  constructor(values: readonly string[]) {
    this.#values = values.filter(({ length }) => length > SHORTEST_HEAD);
    this.#reach = Math.max(0, ...this.#values.map(({ length }) => length * LONGEST_SPELLING));
  }

  isIn(text: string): boolean {
    return this.replace(text, '') !== text;
  }

  /** Of what the console has cut; and of what others have, too, if `quotes`: their dots may be ordinary. */
  replace(text: string, by: string, { quotes = false } = {}): string {
    if (this.#values.length === 0 || !(quotes ? /\.{3}|…/ : / more character/).test(text)) return text;
    this.#heads ??= new RegExp(alternatives([...new Set(this.#values.flatMap(headsOf))]), 'g');
    const cuts = text.matchAll(CUT);
    let cut = cuts.next().value;
    let shown = '';
    let at = 0;
    for (const { index, 0: head } of text.matchAll(this.#heads)) {
      if (index < at) continue;
      while (cut && cut.index < index + head.length) cut = cuts.next().value;
      if (!cut) break;
      const begun = text.slice(index, cut.index);
      if (cut[1] === undefined ? !quotes || !this.#isQuote(begun) : begun.length > this.#reach) continue;
      shown += text.slice(at, index) + by;
      at = cut.index;
    }
    return at === 0 ? text : shown + text.slice(at);
  }

  readonly #isQuote = (begun: string): boolean =>
    begun.length >= SHORTEST_QUOTE && this.#values.some((value) => value.startsWith(begun));
}

/** Of its characters, its Base64 and its bytes. */
function headsOf(value: string): string[] {
  const forms = written(value);
  const digits = forms.map((form) => Buffer.from(form).subarray(0, SHORTEST_HEAD).toString('hex'));
  return [
    inCharacters(value.slice(0, SHORTEST_HEAD)),
    ...forms.flatMap(base64Cores).map((core) => escaped(core.slice(0, LONG))),
    ...digits.flatMap((head) => [head, head.toUpperCase()]),
  ];
}
