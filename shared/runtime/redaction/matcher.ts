import { formsOf, isShort } from './forms.ts';
import { startsOf, unescaped } from './unescape.ts';

/** Stands for a value that is not shown. */
export const REDACTED = '[hidden]';
/** Characters by which a form is searched for: an expression of whole forms would be too large. */
const HEAD_LENGTH = 12;

type Range = readonly [start: number, end: number];

interface Compiled {
  forms: readonly string[];
  /** Length of the shortest form. No shorter text shows one: a text is never longer without its escapes. */
  shortest: number;
  /** Finds where a form may begin. */
  heads: RegExp;
  short: RegExp;
  /** Finds a short value between quotes, as the whole text, or as all that an error says. */
  shortAlone: RegExp;
}

/** Finds values in texts. It compiles when it is first used, because most runs show nothing. */
export class Matcher {
  readonly #values: readonly string[];
  #compiled: Compiled | undefined;

  constructor(values: readonly string[]) {
    this.#values = values;
  }

  redact(text: string): string {
    if (this.#values.length === 0 || text.length < this.#compile().shortest) return text;
    const view = unescaped(text);
    const ranges = this.#rangesIn(view);
    if (view === text) return replaced(text, ranges);
    const starts = ranges.length === 0 ? [] : startsOf(text);
    const shown = replaced(
      text,
      ranges.map(([start, end]) => [starts[start] ?? 0, starts[end] ?? text.length]),
    );
    // An exact value and the characters around it may have been read as one escape.
    return replaced(shown, this.#rangesIn(shown));
  }

  /** Whether a value may occur in this JSON; false only if none does. */
  mayOccurIn(json: string): boolean {
    if (this.#values.length === 0) return false;
    const { heads, short } = this.#compile();
    return [json, unescaped(json)].some((view) => view.search(heads) >= 0 || view.search(short) >= 0);
  }

  #rangesIn(view: string): Range[] {
    const { forms, heads, shortAlone } = this.#compile();
    const ranges: Range[] = [];
    heads.lastIndex = 0;
    for (let head = heads.exec(view); head; head = heads.exec(view)) {
      const { index } = head;
      let length = 0;
      for (const form of forms) if (form.length > length && view.startsWith(form, index)) length = form.length;
      if (length > 0) ranges.push([index, index + length]);
      heads.lastIndex = index + Math.max(1, length);
    }
    for (const { 0: value, index } of view.matchAll(shortAlone)) ranges.push([index, index + value.length]);
    return ranges;
  }

  #compile(): Compiled {
    if (this.#compiled) return this.#compiled;
    const forms = this.#values.filter((value) => !isShort(value)).flatMap(formsOf);
    const shortValues = this.#values.filter(isShort);
    const shortForms = [...shortValues, ...shortValues.map(unescaped)].filter((form) => form !== '');
    const short = anyOf(shortForms);
    this.#compiled = {
      forms,
      shortest: [...forms, ...shortForms].reduce((least, { length }) => Math.min(least, length), Infinity),
      heads: anyOf(forms.map((form) => form.slice(0, HEAD_LENGTH))),
      short,
      shortAlone: new RegExp(`(?<=^|["'\`]|Error: )${short.source}(?=$|\\n|["'\`])`, 'g'),
    };
    return this.#compiled;
  }
}

function replaced(text: string, ranges: readonly Range[]): string {
  let shown = '';
  let at = 0;
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    if (start >= at) shown += text.slice(at, start) + REDACTED;
    at = Math.max(at, end);
  }
  return shown + text.slice(at);
}

/** The longest first, because one may begin another; `[]` matches nothing. */
function anyOf(texts: readonly string[]): RegExp {
  const sources = [...new Set(texts)]
    .filter((text) => text !== '')
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(sources.length === 0 ? '[]' : `(?:${sources.join('|')})`, 'g');
}
