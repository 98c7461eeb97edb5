import { newRow, type Row, type Rows } from './row.ts';

/** Per row: end of its sort key among the texts (4 bytes), size of its item (4), expiry time (8). */
const ROW_BYTES = 16;
const SIZE_AT = 4;
const EXPIRES_AT = 8;

// oxlint-disable-next-line no-control-regex -- one byte holds each of these
const ONE_BYTE = /^[\u0000-\u00ff]*$/;

/**
 * Rows of one partition whose items are not in memory, in a buffer outside of the heap: 16 bytes each and the sort key.
 */
export class PackedRows implements Rows {
  readonly length: number;
  readonly #partition: string;
  readonly #bytes: Buffer;
  readonly #encoding: 'latin1' | 'utf16le';
  readonly #earliest: number;
  readonly #latest: number;

  constructor(partition: string, rows: readonly Row[]) {
    this.length = rows.length;
    this.#partition = partition;
    this.#encoding = rows.every(({ sort }) => ONE_BYTE.test(sort)) ? 'latin1' : 'utf16le';
    this.#earliest = rows.reduce((least, { expires }) => Math.min(least, expires), Infinity);
    this.#latest = rows.reduce((greatest, { expires }) => Math.max(greatest, expires), 0);
    const texts = rows.map(({ sort }) => Buffer.from(sort, this.#encoding));
    const length = texts.reduce((sum, text) => sum + text.length, ROW_BYTES * rows.length);
    // Not a part of Node's shared pool, which would stay as long as its last part.
    this.#bytes = Buffer.allocUnsafeSlow(length);
    let end = ROW_BYTES * rows.length;
    for (const [index, { size, expires }] of rows.entries()) {
      const at = ROW_BYTES * index;
      end += texts[index]?.copy(this.#bytes, end) ?? 0;
      this.#bytes.writeUInt32LE(end, at);
      this.#bytes.writeInt32LE(size, at + SIZE_AT);
      this.#bytes.writeDoubleLE(expires, at + EXPIRES_AT);
    }
  }

  /** A new row each time: what is changed in it is not kept. */
  at(index: number): Row | undefined {
    if (index >= this.length) return undefined;
    const at = ROW_BYTES * index;
    const from = index === 0 ? ROW_BYTES * this.length : this.#bytes.readUInt32LE(at - ROW_BYTES);
    const sort = this.#bytes.toString(this.#encoding, from, this.#bytes.readUInt32LE(at));
    const key = { partition: this.#partition, sort, expires: this.#expires(index) };
    return newRow(key, this.#bytes.readInt32LE(at + SIZE_AT));
  }

  *expiring(from: number, before: number): Iterable<Row> {
    if (this.#latest < from || this.#earliest >= before) return;
    for (let index = 0; index < this.length; index += 1) {
      const expires = this.#expires(index);
      const row = expires >= from && expires < before ? this.at(index) : undefined;
      if (row) yield row;
    }
  }

  #expires(index: number): number {
    return this.#bytes.readDoubleLE(ROW_BYTES * index + EXPIRES_AT);
  }
}
