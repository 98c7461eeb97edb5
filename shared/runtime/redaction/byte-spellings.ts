import { written } from './spellings.ts';

/** Fewer bytes occur in ordinary numbers. */
const FEWEST = 6;
/** No byte: between those that are. */
const OTHER = '\uffff';

/** From the first to the last of a list, and not that one itself. */
export type Range = readonly [start: number, end: number];

/** How bytes are written in a text. Rows are found by their beginning and followed in steps, since no expression can hold a long one. */
interface Notation {
  beginning: RegExp;
  further: RegExp;
  item: RegExp;
  /** One character for each item. */
  read: (row: string) => string;
  /** Items of one byte. */
  perByte: number;
}

/** Hexadecimal digits in a row, also as the console shows a buffer: `43 41 4e`. */
const HEX: Notation = {
  beginning: /[0-9A-Fa-f](?:[ :]?[0-9A-Fa-f]){11}/g,
  further: /(?:[ :]?[0-9A-Fa-f]){1,1000}/y,
  item: /[0-9A-Fa-f]/g,
  read: (row) => row.replace(/[ :]/g, '').toLowerCase(),
  perByte: 2,
};

/** A comma or blank, in JSON or a shown text of several lines too, and the index where an object has one: `{"0":67,"1":65}`. */
const NEXT = String.raw`[,\s][\s"'+\x60\\n]{0,80}(?:\d{1,7}["'\\]{0,9}: ?)?`;
/** And no index. */
const ITEM = /\d+(?![\d"'\\:])/g;
const LIST: Notation = {
  beginning: new RegExp(String.raw`(?<!\d)\d{1,3}(?:${NEXT}\d{1,3}(?!\d)){5}`, 'g'),
  further: new RegExp(String.raw`(?:${NEXT}\d{1,3}(?!\d)){1,1000}`, 'y'),
  item: ITEM,
  read: (row) => (row.match(ITEM) ?? []).map((item) => byteOf(Number(item))).join(''),
  perByte: 1,
};

/** As the console says that a list went on, or a text; an index may be the last of it. */
const CUT = /[,\s:"'+`\d\\n]{0,80}\.{3} \d+ more/y;

const byteOf = (value: unknown): string =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 256
    ? String.fromCharCode(value)
    : OTHER;

/** Finds values that are written as bytes: of six characters or more, by themselves or within a text that was made JSON or an address. */
export class ByteSpellings {
  readonly #bytes: readonly string[];
  readonly #digits: readonly string[];

  constructor(values: readonly string[], lines: readonly string[] = []) {
    const all = [...values.flatMap(written), ...lines]
      .map((text) => Buffer.from(text))
      .filter(({ length }) => length >= FEWEST);
    this.#bytes = [...new Set(all.map((bytes) => bytes.toString('latin1')))];
    this.#digits = [...new Set(all.map((bytes) => bytes.toString('hex')))];
  }

  /** Whether any of them stands in the text. */
  isIn(text: string): boolean {
    for (const _ of this.#places(text)) return true;
    return false;
  }

  /** The text with this in their place. */
  replace(text: string, by: string): string {
    let shown = '';
    let at = 0;
    for (const [start, end] of united([...this.#places(text)])) {
      shown += text.slice(at, start) + by;
      at = end;
    }
    return at === 0 ? text : shown + text.slice(at);
  }

  /** Where in a list of numbers they stand. */
  within(list: readonly unknown[]): Range[] {
    if (list.length < FEWEST || !list.some((item) => typeof item === 'number')) return [];
    return united([...found(list.map(byteOf).join(''), this.#bytes)]);
  }

  *#places(text: string): Generator<Range> {
    if (this.#bytes.length === 0) return;
    yield* places(text, HEX, this.#digits);
    yield* places(text, LIST, this.#bytes);
  }
}

function* places(text: string, notation: Notation, needles: readonly string[]): Generator<Range> {
  const { beginning, further, item, read, perByte } = notation;
  beginning.lastIndex = 0;
  for (let match = beginning.exec(text); match; match = beginning.exec(text)) {
    const start = match.index;
    let end = beginning.lastIndex;
    for (further.lastIndex = end; further.test(text);) end = further.lastIndex;
    const row = text.slice(start, end);
    const bytes = read(row);
    CUT.lastIndex = end;
    const isCut = CUT.test(text);
    let items: RegExpMatchArray[] | undefined;
    for (const [first, last] of found(bytes, needles, isCut ? FEWEST * perByte : undefined)) {
      items ??= [...row.matchAll(item)];
      const [from, to] = [items[first], items[last - 1]];
      if (from && to) yield [start + (from.index ?? 0), start + (to.index ?? 0) + to[0].length];
    }
    beginning.lastIndex = end;
  }
}

/** In order, and those that overlap as one. */
function united(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const range of [...ranges].sort(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last && range[0] <= last[1]) all.splice(-1, 1, [last[0], Math.max(last[1], range[1])]);
    else all.push(range);
  }
  return all;
}

/** Every whole one; and, where the rest was cut off, the beginning of one at the end. */
function* found(bytes: string, needles: readonly string[], fewest?: number): Generator<Range> {
  for (const needle of needles) {
    for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length))
      yield [at, at + needle.length];
    if (fewest === undefined) continue;
    const at = beginningAtEnd(bytes, needle, fewest);
    // Of the last number a digit may be all that is left.
    const before = at ?? beginningAtEnd(bytes.slice(0, -1), needle, fewest);
    if (before !== undefined) yield [before, bytes.length];
  }
}

/** Where, at the earliest. */
function beginningAtEnd(bytes: string, needle: string, fewest: number): number | undefined {
  const head = needle.slice(0, fewest);
  let at = bytes.indexOf(head, bytes.length - needle.length);
  while (at >= 0 && !needle.startsWith(bytes.slice(at))) at = bytes.indexOf(head, at + 1);
  return at >= 0 ? at : undefined;
}
