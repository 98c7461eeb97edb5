import { unescaped } from './unescape.ts';

/** Shorter values occur in ordinary text: they are recognised only where they stand alone. */
const SHORTEST_VALUE = 6;
/** The same of a value without its escapes. */
const SHORTEST_UNESCAPED = 4;
/** Base64 and single lines of a value are recognised from this length on. */
const SHORTEST_PART = 12;

export const isShort = (value: string): boolean => value.length < SHORTEST_VALUE;

/** Texts that show a value when they occur in a text, or in an unescaped text. */
export function formsOf(value: string): string[] {
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
