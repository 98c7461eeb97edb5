import { type Clock } from '../clock.ts';
import { type Disk } from '../disk.ts';
import { Expiry } from './expiry.ts';
import { ItemCache, PINNED } from './item-cache.ts';
import { itemText, parseItem } from './item-text.ts';
import { indexPosition, positionOf, sortable } from './key.ts';
import { readRowKey, sortOfDiskText, writeRowKey, type IndexRow, type Row } from './row.ts';
import { SortedRows } from './sorted-rows.ts';
import { checkTableOnDisk } from './table-on-disk.ts';
import {
  tableIndexes,
  tableKeys,
  type IndexSchema,
  type KeyAttribute,
  type KeySchema,
  type TableSpec,
} from './table-spec.ts';
import { attribute, itemSize, type Attributes, type Value } from './value.ts';

/** A checked copy of a caller's item. */
export interface TakenItem {
  readonly item: Attributes;
  readonly size: number;
  /** Whether plain JSON can hold the item. */
  readonly plain: boolean;
}

/** One table: keys and positions in memory, items in a cache and on disk. Everything but the commit is synchronous. */
export class Table {
  readonly name: string;
  readonly arn: string;
  readonly keys: KeySchema;
  readonly indexes: readonly IndexSchema[];
  readonly rows: SortedRows<Row>;
  readonly indexRows: readonly SortedRows<IndexRow>[];
  readonly #prefix: string;
  readonly #disk: Disk;
  readonly #spec: TableSpec;
  readonly #cache = new ItemCache();
  readonly #expiry: Expiry;
  /** Whether the table keeps previous versions for stale reads. */
  readonly remembers: boolean;

  constructor(spec: TableSpec, options: { arn: string; disk: Disk; clock: Clock; remembers: boolean }) {
    this.#spec = spec;
    this.name = spec.name;
    this.arn = options.arn;
    this.#disk = options.disk;
    this.keys = tableKeys(spec);
    this.indexes = tableIndexes(spec);
    this.remembers = options.remembers;
    const rememberWith = options.remembers ? options.clock : undefined;
    this.rows = new SortedRows(rememberWith);
    this.indexRows = this.indexes.map(() => new SortedRows(rememberWith));
    this.#prefix = `d/${spec.name}/`;
    this.#expiry = new Expiry(options.clock, (rows) => {
      for (const row of rows) this.remove(row);
      // A failing disk also rejects every later commit; this commit has no caller.
      void this.#disk.commit().catch(() => undefined);
    });
  }

  /** Builds the indexes in memory from the keys on disk. */
  async load(): Promise<void> {
    await checkTableOnDisk(this.#disk, this.#prefix, this.#spec, (item) => this.#diskKeyOf(item));
    for await (const diskKey of this.#disk.keys(this.#prefix)) this.#loadRow(diskKey);
    for (const rows of [this.rows, ...this.indexRows]) rows.sortAll();
  }

  close(): void {
    this.#expiry.close();
  }

  /** The row with a checked key. */
  find(key: Attributes): Row | undefined {
    const { partition, sort } = positionOf(key, this.keys);
    return this.rows.get(partition, sort);
  }

  /** A text that is unique for each key of the table. */
  placeOf(key: Attributes): string {
    const { partition, sort } = positionOf(key, this.keys);
    return `${partition}\u0000${sort}`;
  }

  /** The stored item. The caller must neither change it nor pass it on. */
  read(row: Row): Attributes {
    const item = row.item ?? this.#readFromDisk(row);
    this.#cache.use(row);
    return item;
  }

  sizeOf(row: Row): number {
    if (row.size < 0) this.read(row);
    return row.size;
  }

  write({ item, size, plain }: TakenItem): void {
    const { partition, sort } = positionOf(item, this.keys);
    const diskKey = this.#diskKeyOf(item);
    const inIndexes: (IndexRow | undefined)[] = [];
    const row: Row = {
      partition,
      sort,
      tie: '',
      diskKey,
      size,
      item,
      generation: 0,
      expires: this.#expiresOf(item),
      inIndexes,
    };
    if (this.remembers) this.#pin(this.rows.get(partition, sort));
    const previous = this.rows.put(row);
    const text = itemText(item, plain);
    if (previous) {
      if (previous.diskKey !== diskKey) this.#disk.del(previous.diskKey);
      this.#disk.put(diskKey, text);
    } else this.#disk.putNew(diskKey, text);
    for (const [i, index] of this.indexes.entries()) {
      const place = indexPosition(item, index);
      const indexRow = place && { ...place, tie: tieOf(row), row };
      inIndexes.push(indexRow);
      this.#moveInIndex(i, previous?.inIndexes[i], indexRow);
    }
    if (previous?.expires) this.#expiry.delete(previous);
    if (row.expires) this.#expiry.add(row);
    this.#cache.use(row);
  }

  remove(row: Row): void {
    if (this.remembers) this.#pin(row);
    this.rows.delete(row);
    this.#disk.del(row.diskKey);
    for (const [i, indexRow] of row.inIndexes.entries()) this.#moveInIndex(i, indexRow, undefined);
    if (row.expires) this.#expiry.delete(row);
  }

  #moveInIndex(i: number, from: IndexRow | undefined, to: IndexRow | undefined): void {
    const rows = this.indexRows[i] as SortedRows<IndexRow>;
    if (from && (from.partition !== to?.partition || from.sort !== to.sort)) rows.delete(from);
    if (to) rows.put(to);
  }

  /** Keeps the version readable that the next write replaces. */
  #pin(row: Row | undefined): void {
    if (!row) return;
    row.item = this.read(row);
    row.generation = PINNED;
  }

  #readFromDisk(row: Row): Attributes {
    const text = this.#disk.get(row.diskKey);
    if (text === undefined)
      throw new Error(`The item ${JSON.stringify(row.diskKey)} of table ${this.name} is missing on disk.`);
    const item = parseItem(text);
    if (row.size < 0) row.size = itemSize(item);
    row.item = item;
    return item;
  }

  #diskKeyOf(item: Attributes): string {
    const { hash, range } = this.keys;
    return writeRowKey(this.#prefix, {
      hash: diskText(item[hash.name], hash),
      range: range ? diskText(item[range.name], range) : '',
      expires: this.#expiresOf(item),
      indexes: this.indexes.flatMap((index) => indexTexts(item, index)),
    });
  }

  #expiresOf(item: Attributes): number {
    const name = this.#spec.timeToLiveAttribute;
    const value = name === undefined ? undefined : attribute(item, name);
    return typeof value === 'number' && value > 0 ? Math.floor(value) : 0;
  }

  #loadRow(diskKey: string): void {
    const { hash, range, expires, indexes } = readRowKey(this.#prefix, diskKey);
    const inIndexes: (IndexRow | undefined)[] = [];
    const row: Row = {
      partition: sortOfDiskText(hash, this.keys.hash.type),
      sort: this.keys.range ? sortOfDiskText(range, this.keys.range.type) : '',
      tie: '',
      diskKey,
      size: -1,
      item: undefined,
      generation: 0,
      expires,
      inIndexes,
    };
    this.rows.load(row);
    for (const [i, index] of this.indexes.entries()) {
      const [partition, sort] = [indexes[2 * i] ?? '', indexes[2 * i + 1] ?? ''];
      if (partition === '') {
        inIndexes.push(undefined);
        continue;
      }
      const indexRow = {
        partition: sortOfDiskText(partition, index.hash.type),
        sort: index.range ? sortOfDiskText(sort, index.range.type) : '',
        tie: tieOf(row),
        row,
      };
      inIndexes.push(indexRow);
      this.indexRows[i]?.load(indexRow);
    }
    if (expires) this.#expiry.add(row);
  }
}

function tieOf({ partition, sort }: Row): string {
  return `${partition}\u0000${sort}`;
}

function indexTexts(item: Attributes, index: IndexSchema): [hash: string, range: string] {
  if (index.attributes.some(({ name }) => attribute(item, name) === undefined)) return ['', ''];
  const { hash, range } = index;
  return [diskText(item[hash.name], hash), range ? diskText(item[range.name], range) : ''];
}

function diskText(value: Value | undefined, { type }: KeyAttribute): string {
  if (type === 'S') return value as string;
  return sortable(value as Value, type);
}
