import { type KeyType } from './table-spec.ts';
import { sortableText } from './compare.ts';
import { type Sorted } from './sorted-rows.ts';
import { type Attributes } from './value.ts';

/** One version of an item. A write makes a new row; nothing but its cache changes. */
export interface Row extends Sorted {
  readonly diskKey: string;
  /** Bytes of the item; -1 until a row loaded at start is first read. */
  size: number;
  /** The item while it is in the cache; else it is on disk. */
  item: Attributes | undefined;
  /** Cache bookkeeping, see cache.ts. */
  generation: number;
  /** Epoch seconds of its time to live; 0: none. */
  readonly expires: number;
  /** Where it lies in each index of the table, in their order. */
  readonly inIndexes: readonly (IndexRow | undefined)[];
}

/** An item's place in an index. */
export interface IndexRow extends Sorted {
  row: Row;
}

/** What of a row is written in its disk key, so that starting reads keys only. */
export interface RowKey {
  readonly hash: string;
  readonly range: string;
  readonly expires: number;
  /** Partition and sort text of each index, '' where the item is not in it. */
  readonly indexes: readonly string[];
}

const SEPARATOR = '\u0000';
/** Before every hash text, so that a prefix search of the disk also finds texts that begin with its last characters. */
const MARK = '=';

/** The separator must not occur in a part; `\u0001` begins an escape. */
const escape = (part: string) =>
  NEEDS_ESCAPE.test(part)
    ? part.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001')
    : part;
const unescape = (part: string) =>
  part.includes('\u0001')
    ? part.replaceAll('\u0001\u0001', '\u0000').replaceAll('\u0001\u0002', '\u0001')
    : part;

// eslint-disable-next-line no-control-regex -- these two control characters are what is looked for
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
 * Key texts on disk are UTF-8, so strings are written as they are and only sorted by their sortable form; numbers and
 * binaries are written in the sortable form itself.
 */
export function sortOfDiskText(text: string, type: KeyType): string {
  return type === 'S' ? sortableText(text) : text;
}
