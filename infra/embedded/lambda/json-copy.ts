import { setOwn } from '../own-member.ts';

/** The most bytes of JSON that a UTF-16 unit of a text becomes, as `\u0000`. */
const BYTES_PER_UNIT = 6;
/** No number has more characters. */
const BYTES_PER_NUMBER = 25;
const BYTES_PER_LITERAL = 5;
/** Brackets with a comma; a colon or a comma. */
const FRAME = 3;
const QUOTES = 2;

export interface JsonCopy {
  readonly value: unknown;
  /** The JSON text has at most as many bytes; {@link hasAtMost} bounds them more closely. */
  readonly mostBytes: number;
  /** The long texts in the value. */
  readonly longTexts: readonly string[];
}

/** A shorter text adds little to the bound. */
const LONG_TEXT = 4096;

/**
 * Control characters whose escape has six bytes. The escapes of other characters are at most twice as long as they are
 * in UTF-8.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const LONG_ESCAPE = /[\u0000-\u0007\u000b\u000e-\u001f]/;

/** The most bytes of a text's JSON, without reading the text. */
const coarseBound = (text: string): number => text.length * BYTES_PER_UNIT + QUOTES;

/**
 * The same, at most twice too large for a usual text. It reads the text, in a fifth of the time of writing and reading
 * the JSON.
 */
export const closeBound = (text: string): number =>
  LONG_ESCAPE.test(text) ? coarseBound(text) : 2 * Buffer.byteLength(text) + QUOTES;

/**
 * Copies a value as `JSON.parse(JSON.stringify(value))` does, but shares its texts, which are neither quoted nor read.
 * A value that JSON lacks becomes undefined.
 */
export function jsonCopy(value: unknown): JsonCopy {
  const walk: Walk = { bytes: 0, longTexts: [] };
  const copy = copyOf(value, walk);
  return { value: copy, mostBytes: walk.bytes, longTexts: walk.longTexts };
}

/** Whether the JSON text surely has at most so many bytes. Reads as few of its long texts as possible. */
export function hasAtMost({ mostBytes, longTexts }: JsonCopy, bytes: number): boolean {
  let most = mostBytes;
  for (const text of longTexts) {
    if (most <= bytes) return true;
    most -= coarseBound(text) - closeBound(text);
  }
  return most <= bytes;
}

interface Walk {
  bytes: number;
  readonly longTexts: string[];
}

function copyOf(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      walk.bytes += coarseBound(value) + FRAME;
      if (value.length > LONG_TEXT) walk.longTexts.push(value);
      return value;
    case 'number':
      walk.bytes += BYTES_PER_NUMBER;
      // JSON has neither -0 nor NaN.
      return Number.isFinite(value) ? value + 0 : null;
    case 'boolean':
      walk.bytes += BYTES_PER_LITERAL;
      return value;
    case 'bigint':
      throw new TypeError('JSON has no BigInt.');
    case 'object':
      return value === null ? copyOfNull(walk) : copyOfObject(value, walk);
    default:
      return undefined;
  }
}

function copyOfNull(walk: Walk): null {
  walk.bytes += BYTES_PER_LITERAL;
  return null;
}

function copyOfObject(value: object, walk: Walk): unknown {
  if ('toJSON' in value && typeof value.toJSON === 'function') return copyOf(value.toJSON(), walk);
  walk.bytes += FRAME;
  if (Array.isArray(value)) return Array.from(value, (element) => copyOf(element, walk) ?? copyOfNull(walk));
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const copied = copyOf(member, walk);
    if (copied === undefined) continue;
    walk.bytes += coarseBound(name) + FRAME;
    setOwn(copy, name, copied);
  }
  return copy;
}
