import { sortableText, textOfSortable } from '../values/compare.ts';
import { type RowKey } from './row.ts';
import { type KeySchema, type KeyType } from '../table-spec.ts';

const SEPARATOR = '\u0000';
/**
 * Precedes every hash text, so that a prefix search on disk also finds hash texts that start with the highest
 * characters.
 */
const MARK = '=';

/** The keys on disk of one table's items. They hold what a row needs, so that a start reads only keys. */
export class DiskKeys {
  readonly #prefix: string;
  readonly #keys: KeySchema;

  constructor(prefix: string, keys: KeySchema) {
    this.#prefix = prefix;
    this.#keys = keys;
  }

  keyOf({ partition, sort, expires }: RowKey): string {
    const { hash, range } = this.#keys;
    const key = `${this.#prefix}${MARK}${diskText(partition, hash.type)}${SEPARATOR}${range ? diskText(sort, range.type) : ''}`;
    return expires === 0 ? key : `${key}${SEPARATOR}${expires}${SEPARATOR}`;
  }

  read(diskKey: string): RowKey {
    const { hash, range } = this.#keys;
    const parts = diskKey.slice(this.#prefix.length + MARK.length).split(SEPARATOR);
    const [partition = '', sort = '', expires = ''] = parts;
    return {
      partition: sortOf(copyOf(partition), hash.type),
      sort: range ? sortOf(copyOf(sort), range.type) : '',
      expires: Number(expires),
    };
  }
}

/** A part of a text keeps the whole text in memory. */
const copyOf = (part: string): string => Buffer.from(part).toString();

/** Strings are on disk as they are, because keys on disk are UTF-8; numbers and binaries in their sortable form. */
const diskText = (sort: string, type: KeyType): string => escape(type === 'S' ? textOfSortable(sort) : sort);

const sortOf = (text: string, type: KeyType): string => (type === 'S' ? sortableText(unescape(text)) : unescape(text));

/** Escapes the separator in a part. An escape starts with `\u0001`. */
const escape = (part: string) =>
  NEEDS_ESCAPE.test(part) ? part.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001') : part;
const unescape = (part: string) =>
  part.includes('\u0001') ? part.replaceAll('\u0001\u0001', '\u0000').replaceAll('\u0001\u0002', '\u0001') : part;

// oxlint-disable-next-line no-control-regex -- the expression looks for these two control characters
const NEEDS_ESCAPE = /[\u0000\u0001]/;
