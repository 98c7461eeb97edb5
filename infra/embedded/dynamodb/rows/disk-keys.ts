import { sortableText, textOfSortable } from '../values/compare.ts';
import { type RowKey } from './row.ts';

const SEPARATOR = '\u0000';
/**
 * Precedes every hash text, so that a prefix search on disk also finds hash texts that start with the highest
 * characters.
 */
const MARK = '=';

/** The keys on disk of one table's items. They hold what a row needs, so that a start reads only keys. */
export class DiskKeys {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  keyOf({ partition, sort, expires }: RowKey): string {
    const key = `${this.#prefix}${MARK}${diskText(partition)}${SEPARATOR}${diskText(sort)}`;
    return expires === 0 ? key : `${key}${SEPARATOR}${expires}${SEPARATOR}`;
  }

  read(diskKey: string): RowKey {
    const parts = diskKey.slice(this.#prefix.length + MARK.length).split(SEPARATOR);
    const [partition = '', sort = '', expires = ''] = parts;
    return {
      partition: sortOf(copyOf(partition)),
      sort: sortOf(copyOf(sort)),
      expires: Number(expires),
    };
  }
}

/** A part of a text keeps the whole text in memory. */
const copyOf = (part: string): string => Buffer.from(part).toString();

/** Keys on disk are UTF-8, so their texts are as they are. */
const diskText = (sort: string): string => escape(textOfSortable(sort));

const sortOf = (text: string): string => sortableText(unescape(text));

/** Escapes the separator in a part. An escape starts with `\u0001`. */
const escape = (part: string) =>
  NEEDS_ESCAPE.test(part) ? part.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001') : part;
const unescape = (part: string) =>
  part.includes('\u0001') ? part.replaceAll('\u0001\u0001', '\u0000').replaceAll('\u0001\u0002', '\u0001') : part;

// oxlint-disable-next-line no-control-regex -- the expression looks for these two control characters
const NEEDS_ESCAPE = /[\u0000\u0001]/;
