import { type KeyType } from './table-spec.ts';
import { sortableText } from './compare.ts';
import { type Sorted } from './sorted-rows.ts';
import { type Attributes } from './value.ts';

/** One version of an item. A write makes a new row. Only the cache fields of a row change. */
export interface Row extends Sorted {
  readonly diskKey: string;
  /** Bytes of the item; -1 until the first read of a row that was loaded at start. */
  size: number;
  /** The item, while it is in the cache. */
  item: Attributes | undefined;
  /** Cache generation, see item-cache.ts. */
  generation: number;
  /** Expiry time in epoch seconds; 0: none. */
  readonly expires: number;
  /** Positions in the indexes of the table, in the order of the indexes. */
  readonly inIndexes: readonly (IndexRow | undefined)[];
}

/** The position of an item in an index. */
export interface IndexRow extends Sorted {
  row: Row;
}

/** The parts of a row that its key on disk holds, so that a start reads only keys. */
export interface RowKey {
  readonly hash: string;
  readonly range: string;
  readonly expires: number;
  /** Partition and sort text of each index; '' if the index lacks the item. */
  readonly indexes: readonly string[];
}

const SEPARATOR = '\u0000';
/** Precedes every hash text, so that a prefix search on disk also finds hash texts that start with the highest characters. */
const MARK = '=';

/** Escapes the separator in a part. An escape starts with `\u0001`. */
const escape = (part: string) =>
  NEEDS_ESCAPE.test(part)
    ? part.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001')
    : part;
const unescape = (part: string) =>
  part.includes('\u0001')
    ? part.replaceAll('\u0001\u0001', '\u0000').replaceAll('\u0001\u0002', '\u0001')
    : part;

// oxlint-disable-next-line no-control-regex -- the expression looks for these two control characters
const NEEDS_ESCAPE = /[\u0000\u0001]/;

export function writeRowKey(prefix: string, { hash, range, expires, indexes }: RowKey): string {
  const key = `${prefix}${MARK}${escape(hash)}${SEPARATOR}${escape(range)}`;
  if (expires === 0 && indexes.every((part) => part === '')) return key;
  return `${key}${SEPARATOR}${expires || ''}${SEPARATOR}${indexes.map(escape).join(SEPARATOR)}`;
}

export function readRowKey(prefix: string, diskKey: string): RowKey {
  const [hash = '', range = '', expires = '', ...indexes] = diskKey
    .slice(prefix.length + MARK.length)
    .split(SEPARATOR)
    .map(unescape);
  return { hash, range, expires: Number(expires), indexes };
}

/**
 * The sort text of a key text on disk. Strings are on disk as they are, because keys on disk are UTF-8; numbers and binaries are on
 * disk in their sortable form.
 */
export function sortOfDiskText(text: string, type: KeyType): string {
  return type === 'S' ? sortableText(text) : text;
}
