import { type Clock } from '../../clock.ts';
import { Partition, rowsOf } from './partition.ts';
import { type Row, type Rows } from './row.ts';

type Position = Pick<Row, 'partition' | 'sort'>;

interface Change {
  readonly sort: string;
  readonly row: Row | undefined;
  readonly at: number;
}

/** An eventually consistent read may see the previous version for this time. DynamoDB: "usually within one second". */
const STALE_MS = 1000;

/** Rows by partition, each partition sorted. It can keep recent previous versions for stale reads. */
export class SortedRows {
  readonly #partitions = new Map<string, Partition>();
  /** By partition and sort key. */
  readonly #before = new Map<string, Map<string, Change>>();
  readonly #clock: Clock | undefined;

  /** With a clock, previous versions are kept for {@link STALE_MS}. */
  constructor(rememberWith?: Clock) {
    this.#clock = rememberWith;
  }

  partition(name: string): Rows {
    return this.#partitions.get(name) ?? [];
  }

  get({ partition, sort }: Position): Row | undefined {
    return this.#partitions.get(partition)?.get(sort);
  }

  /** Adds a row, or replaces and returns its predecessor. */
  put(row: Row): Row | undefined {
    let partition = this.#partitions.get(row.partition);
    if (!partition) {
      // A packed row cannot keep a previous version of its item.
      partition = new Partition(row.partition, { packs: this.#clock === undefined });
      this.#partitions.set(row.partition, partition);
    }
    const previous = partition.put(row);
    this.#remember(row, previous);
    return previous;
  }

  delete(position: Position): void {
    const partition = this.#partitions.get(position.partition);
    const found = partition?.delete(position.sort);
    if (!found) return;
    if (partition?.length === 0) this.#partitions.delete(position.partition);
    this.#remember(found, found);
  }

  /** The rows of a partition that expire in a part of the time, in epoch seconds. */
  expiring(partition: string, from: number, before: number): Row[] {
    return this.#partitions.get(partition)?.expiring(from, before) ?? [];
  }

  /** The recent previous version of a row, if there is one. `{ row: undefined }`: the row did not exist. */
  recently({ partition, sort }: Position): { row: Row | undefined } | undefined {
    const change = this.#before.get(partition)?.get(sort);
    return change && this.#isRecent(change) ? change : undefined;
  }

  /** The recent previous version of a partition, if there is one. */
  partitionRecently(name: string): Rows | undefined {
    const changes = [...(this.#before.get(name)?.values() ?? [])].filter((change) => this.#isRecent(change));
    if (changes.length === 0) return undefined;
    const changed = new Set(changes.map(({ sort }) => sort));
    const rows = rowsOf(this.partition(name)).filter(({ sort }) => !changed.has(sort));
    for (const { row } of changes) if (row) rows.push(row);
    return rows.sort((a, b) => (a.sort < b.sort ? -1 : 1));
  }

  #isRecent({ at }: { at: number }): boolean {
    return this.#clock !== undefined && this.#clock.now() - at < STALE_MS;
  }

  #remember({ partition, sort }: Position, row: Row | undefined): void {
    if (!this.#clock) return;
    let changes = this.#before.get(partition);
    if (!changes) this.#before.set(partition, (changes = new Map()));
    for (const [key, change] of changes) if (!this.#isRecent(change)) changes.delete(key);
    changes.set(sort, { sort, row, at: this.#clock.now() });
  }
}
