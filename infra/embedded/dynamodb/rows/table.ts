import { type Clock } from '../../clock.ts';
import { type Disk } from '../../disk/disk.ts';
import { DiskKeys } from './disk-keys.ts';
import { Expiry, type Expired } from './expiry.ts';
import { ItemCache, PINNED } from './item-cache.ts';
import { ItemWatchers } from '../item-watchers.ts';
import { itemValue, parseItem } from './item-text.ts';
import { positionOf } from '../values/key.ts';
import { newRow, type Row, type RowKey } from './row.ts';
import { SortedRows } from './sorted-rows.ts';
import { checkTableOnDisk } from './table-on-disk.ts';
import { tableKeys, type KeySchema, type TableSpec } from '../table-spec.ts';
import { attribute, itemSize, type Attributes } from '../values/value.ts';

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
  readonly rows: SortedRows;
  readonly watchers = new ItemWatchers();
  readonly #prefix: string;
  readonly #disk: Disk;
  readonly #spec: TableSpec;
  readonly #cache = new ItemCache();
  readonly #expiry: Expiry;
  readonly #diskKeys: DiskKeys;
  /** Whether the table keeps previous versions for stale reads. */
  readonly remembers: boolean;

  constructor(spec: TableSpec, options: { arn: string; disk: Disk; clock: Clock; remembers: boolean }) {
    this.#spec = spec;
    this.name = spec.name;
    this.arn = options.arn;
    this.#disk = options.disk;
    this.keys = tableKeys(spec);
    this.remembers = options.remembers;
    this.rows = new SortedRows(options.remembers ? options.clock : undefined);
    this.#prefix = `d/${spec.name}/`;
    this.#diskKeys = new DiskKeys(this.#prefix);
    this.#expiry = new Expiry(options.clock, (expired) => {
      this.#removeExpired(expired);
    });
  }

  /** Builds the positions in memory from the keys on disk. */
  async load(): Promise<void> {
    await checkTableOnDisk(this.#disk, this.#prefix, this.#spec, (item) => this.#diskKeys.keyOf(this.#keyOf(item)));
    for await (const diskKey of this.#disk.keys(this.#prefix)) {
      const row = newRow(this.#diskKeys.read(diskKey), -1);
      this.rows.put(row);
      if (row.expires) this.#expiry.add(row);
    }
  }

  close(): void {
    this.#expiry.close();
  }

  /** The row with a checked key. */
  find(key: Attributes): Row | undefined {
    return this.rows.get(positionOf(key, this.keys));
  }

  /** A text that is unique for each key of the table. */
  itemKeyOf(key: Attributes): string {
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
    const row = newRow(this.#keyOf(item), size, item);
    if (this.remembers) this.#pin(this.rows.get(row));
    const previous = this.rows.put(row);
    const diskKey = this.#diskKeys.keyOf(row);
    const value = itemValue(item, plain);
    if (previous) {
      if (previous.expires !== row.expires) this.#disk.del(this.#diskKeys.keyOf(previous));
      this.#disk.put(diskKey, value);
      this.#cache.drop(previous);
      if (previous.expires) this.#expiry.delete(previous);
    } else this.#disk.putNew(diskKey, value);
    if (row.expires) this.#expiry.add(row);
    this.#cache.use(row);
    this.watchers.note(row.partition, row.sort);
  }

  remove(row: Row): void {
    if (this.remembers) this.#pin(row);
    this.rows.delete(row);
    this.#cache.drop(row);
    this.#disk.del(this.#diskKeys.keyOf(row));
    if (row.expires) this.#expiry.delete(row);
    this.watchers.note(row.partition, row.sort);
  }

  #removeExpired(expired: readonly Expired[]): void {
    for (const { partition, from, before } of expired)
      for (const row of this.rows.expiring(partition, from, before)) this.remove(row);
    // A failing disk also rejects every later commit; this commit has no caller.
    void this.#disk.commit().catch(() => undefined);
  }

  /** Keeps the version readable that the next write replaces. */
  #pin(row: Row | undefined): void {
    if (!row) return;
    row.item = this.read(row);
    row.generation = PINNED;
  }

  #readFromDisk(row: Row): Attributes {
    const diskKey = this.#diskKeys.keyOf(row);
    const text = this.#disk.get(diskKey);
    if (text === undefined)
      throw new Error(`The item ${JSON.stringify(diskKey)} of table ${this.name} is missing on disk.`);
    const item = parseItem(text);
    if (row.size < 0) row.size = itemSize(item);
    row.item = item;
    return item;
  }

  #keyOf(item: Attributes): RowKey {
    const { partition, sort } = positionOf(item, this.keys);
    return { partition, sort, expires: this.#expiresOf(item) };
  }

  /** Expiry time of an item in epoch seconds; 0: none. */
  #expiresOf(item: Attributes): number {
    const name = this.#spec.timeToLiveAttribute;
    const value = name === undefined ? undefined : attribute(item, name);
    return typeof value === 'number' && value > 0 ? Math.floor(value) : 0;
  }
}
