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

/** Shorter values occur in ordinary text: they are recognised only where they stand alone. */
const SHORTEST_VALUE = 6;
/** The same of a value without its escapes. */
const SHORTEST_UNESCAPED = 4;
/** Base64 and single lines of a value are recognised from this length on. */
const SHORTEST_PART = 12;

const isShort = (value: string): boolean => value.length < SHORTEST_VALUE;

/** Texts that show a value when they occur in a text, or in an unescaped text. */
function formsOf(value: string): string[] {
  const lines = value.split(/\r?\n/).filter((line) => line.length >= SHORTEST_PART);
  // The bytes of a response are read as Latin-1.
  const exact = [value, ...lines].flatMap((text) => [text, Buffer.from(text).toString('latin1')]);
  const base64 = [...encodingsOf(value), ...lines].flatMap(base64Of);
  return [...new Set([...exact, ...exact.flatMap(unescapedForms), ...base64, ...base64.map(unescaped)])];
}

/** A backslash or percent sign before the value makes its beginning an escape. */
const unescapedForms = (value: string): string[] =>
  [value, `\\${value}`, `%${value}`].map(unescaped).filter(({ length }) => length >= SHORTEST_UNESCAPED);

/** Encodings of a value within a text that is then encoded as a whole: none, JSON, JSON in JSON, URL, form. */
function encodingsOf(value: string): string[] {
  const json = inJson(value);
  // An address cannot hold half of a surrogate pair.
  const address = encodeURIComponent(Buffer.from(value).toString());
  const form = new URLSearchParams([['', value]]).toString().slice(1);
  return [value, json, inJson(json), address, form];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The Base64 digits that depend on the text alone, for each offset at which it may begin, in both alphabets. */
function base64Of(text: string): string[] {
  const bytes = Buffer.from(text);
  const digits = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6)),
  );
  return digits
    .filter(({ length }) => length >= SHORTEST_PART)
    .flatMap((standard) => [standard, standard.replaceAll('+', '-').replaceAll('/', '_')]);
}
