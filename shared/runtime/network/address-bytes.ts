import type { AddressBlock, AddressBytes } from '../../domain/network/network-rule.ts';

/*
 * The guards of a component's process call these functions while the component can patch every builtin. They use only
 * operators, own elements of texts and arrays, and what they captured when they were loaded.
 */

/** An object without a prototype: a lookup finds an own property or nothing. */
function digits(characters: string): Readonly<Record<string, number>> {
  const values: Record<string, number> = {};
  Object.setPrototypeOf(values, null);
  for (const character of characters) values[character] = parseInt(character, 16);
  return Object.freeze(values);
}

const DECIMAL = digits('0123456789');
const HEXADECIMAL = digits('0123456789abcdefABCDEF');

const V6_SIZE = 16;
/** Position of the IPv4 address in an IPv6 one that ends with it. */
const LAST_V4 = 12;
/** The longest address with a zone. The system cuts a longer one, and would connect to another address. */
const LONGEST_WITH_ZONE = 39;

/**
 * The bytes of an address as the system reads it: `127.1` and `0x7f000001` are none, and a zone is not a part of it.
 */
export function addressBytes(text: string): AddressBytes | undefined {
  const v4 = [0, 0, 0, 0];
  if (readV4(text, { from: 0, to: text.length, bytes: v4, at: 0 })) return v4;
  const end = positionOf('%', text);
  if (end < text.length && (end > LONGEST_WITH_ZONE || end + 1 === text.length)) return undefined;
  const v6 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  return readV6(text, end, v6) ? v6 : undefined;
}

/** Parses `address/bits`. Throws for any other text. */
export function blockOf(cidr: string): AddressBlock {
  const [address = '', size = ''] = cidr.split('/');
  const bytes = addressBytes(address);
  const bits = /^\d{1,3}$/.test(size) ? Number(size) : NaN;
  if (!bytes || !(bits <= 8 * bytes.length)) throw new Error(`${cidr} is not a block of addresses such as 10.0.0.0/8.`);
  return { bytes, bits };
}

/** The length of the text, if the character is not in it. */
function positionOf(character: string, text: string): number {
  let position = 0;
  while (position < text.length && text[position] !== character) position += 1;
  return position;
}

interface V4Part {
  from: number;
  to: number;
  bytes: number[];
  /** Offset of the first of the four bytes. */
  at: number;
}

function readV4(text: string, { from, to, bytes, at }: V4Part): boolean {
  let part = 0;
  let value = 0;
  let count = 0;
  for (let index = from; index < to; index += 1) {
    const character = text[index] ?? '';
    if (character === '.') {
      if (count === 0 || part === 3) return false;
      bytes[at + part] = value;
      part += 1;
      value = 0;
      count = 0;
      continue;
    }
    const digit = DECIMAL[character];
    // Some readers take a number that begins with a zero for an octal one.
    if (digit === undefined || (count > 0 && value === 0)) return false;
    value = 10 * value + digit;
    count += 1;
    if (value > 0xff) return false;
  }
  if (count === 0 || part !== 3) return false;
  bytes[at + part] = value;
  return true;
}

/** https://www.rfc-editor.org/rfc/rfc4291#section-2.2 */
function readV6(text: string, end: number, bytes: number[]): boolean {
  let at = 0;
  /** The position of `::`. */
  let gap = -1;
  let value = 0;
  let count = 0;
  let start = 0;
  if (text[0] === ':') {
    if (end < 2 || text[1] !== ':') return false;
    start = 1;
  }
  for (let index = start; index < end; index += 1) {
    const character = text[index] ?? '';
    const digit = HEXADECIMAL[character];
    if (digit !== undefined) {
      if (count === 4) return false;
      value = 16 * value + digit;
      count += 1;
    } else if (character === ':') {
      start = index + 1;
      if (count === 0) {
        if (gap >= 0) return false;
        gap = at;
        continue;
      }
      if (start === end || !put(bytes, at, value)) return false;
      at += 2;
      value = 0;
      count = 0;
    } else {
      if (character !== '.' || at > LAST_V4 || !readV4(text, { from: start, to: end, bytes, at })) return false;
      at += 4;
      count = 0;
      break;
    }
  }
  if (count > 0) {
    if (!put(bytes, at, value)) return false;
    at += 2;
  }
  if (gap < 0) return at === V6_SIZE;
  if (at === V6_SIZE) return false;
  for (let moved = 1; moved <= at - gap; moved += 1) {
    bytes[V6_SIZE - moved] = bytes[at - moved] ?? 0;
    bytes[at - moved] = 0;
  }
  return true;
}

function put(bytes: number[], at: number, group: number): boolean {
  if (at + 2 > V6_SIZE) return false;
  bytes[at] = group >> 8;
  bytes[at + 1] = group & 0xff;
  return true;
}
