import { type Clock } from '../clock.ts';

/** The position of an item, which a table or an index keeps in memory. */
export interface Sorted {
  readonly partition: string;
  readonly sort: string;
  /** Distinguishes rows with the same sort key. '' in a table, because its keys are unique. */
  readonly tie: string;
}

interface Change<T> {
  readonly row: T | undefined;
  readonly at: number;
}

/** An eventually consistent read may see the previous version for this time. DynamoDB: "usually within one second". */
const STALE_MS = 1000;

/** Rows by partition, each partition sorted. It can keep recent previous versions for stale reads. */
export class SortedRows<T extends Sorted> {
  readonly #partitions = new Map<string, T[]>();
  readonly #before = new Map<string, Map<string, Change<T> & Sorted>>();
  readonly #clock: Clock | undefined;

  /** With a clock, previous versions are kept for {@link STALE_MS}. */
  constructor(rememberWith?: Clock) {
    this.#clock = rememberWith;
  }

  partition(name: string): readonly T[] {
    return this.#partitions.get(name) ?? [];
  }

  get(partition: string, sort: string, tie = ''): T | undefined {
    const rows = this.#partitions.get(partition);
    if (!rows) return undefined;
    const row = rows[lowerBound(rows, sort, tie)];
    return row?.sort === sort && row.tie === tie ? row : undefined;
  }

  /** Adds a row, or replaces and returns its predecessor. */
  put(row: T): T | undefined {
    const rows = this.#partitions.get(row.partition);
    if (!rows) {
      this.#partitions.set(row.partition, [row]);
      this.#remember(row, undefined);
      return undefined;
    }
    const last = rows[rows.length - 1];
    // Most new keys sort last.
    if (last && compare(last, row.sort, row.tie) < 0) {
      rows.push(row);
      this.#remember(row, undefined);
      return undefined;
    }
    const at = lowerBound(rows, row.sort, row.tie);
    const found = rows[at];
    const previous = found?.sort === row.sort && found.tie === row.tie ? found : undefined;
    if (previous) rows[at] = row;
    else rows.splice(at, 0, row);
    this.#remember(row, previous);
    return previous;
  }

  delete({ partition, sort, tie }: Sorted): void {
    const rows = this.#partitions.get(partition);
    if (!rows) return;
    const at = lowerBound(rows, sort, tie);
    const found = rows[at];
    if (found?.sort !== sort || found.tie !== tie) return;
    if (rows.length === 1) this.#partitions.delete(partition);
    else if (at === 0) rows.shift();
    else rows.splice(at, 1);
    this.#remember(found, found);
  }

  /** Adds a row in any order. {@link sortAll} must follow. */
  load(row: T): void {
    const rows = this.#partitions.get(row.partition);
    if (rows) rows.push(row);
    else this.#partitions.set(row.partition, [row]);
  }

  sortAll(): void {
    for (const rows of this.#partitions.values()) {
      if (rows.some((row, i) => i > 0 && compare(rows[i - 1] as T, row.sort, row.tie) > 0)) {
        rows.sort((a, b) => compare(a, b.sort, b.tie));
      }
    }
  }

  /** The recent previous version of a row, if there is one. `{ row: undefined }`: the row did not exist. */
  recently({ partition, sort, tie }: Sorted): { row: T | undefined } | undefined {
    const change = this.#before.get(partition)?.get(`${sort}\u0000${tie}`);
    return change && this.#isRecent(change) ? change : undefined;
  }

  /** The recent previous version of a partition, if there is one. */
  partitionRecently(name: string): T[] | undefined {
    const changes = [...(this.#before.get(name)?.values() ?? [])].filter((change) => this.#isRecent(change));
    if (changes.length === 0) return undefined;
    const changed = new Set(changes.map(({ sort, tie }) => `${sort}\u0000${tie}`));
    const rows = this.partition(name).filter(({ sort, tie }) => !changed.has(`${sort}\u0000${tie}`));
    for (const { row } of changes) if (row) rows.push(row);
    return rows.sort((a, b) => compare(a, b.sort, b.tie));
  }

  #isRecent({ at }: { at: number }): boolean {
    return this.#clock !== undefined && this.#clock.now() - at < STALE_MS;
  }

  #remember({ partition, sort, tie }: Sorted, row: T | undefined): void {
    if (!this.#clock) return;
    let changes = this.#before.get(partition);
    if (!changes) this.#before.set(partition, (changes = new Map()));
    for (const [key, change] of changes) if (!this.#isRecent(change)) changes.delete(key);
    changes.set(`${sort}\u0000${tie}`, { partition, sort, tie, row, at: this.#clock.now() });
  }
}

function compare(row: Sorted, sort: string, tie: string): number {
  if (row.sort !== sort) return row.sort < sort ? -1 : 1;
  return row.tie === tie ? 0 : row.tie < tie ? -1 : 1;
}

/** Index of the first row at or after a position. */
export function lowerBound(rows: readonly Sorted[], sort: string, tie = ''): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle] as Sorted;
    if (row.sort < sort || (row.sort === sort && row.tie < tie)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first row for which `holds` is true. It must be true for all later rows, too. */
export function firstIndex(rows: readonly Sorted[], holds: (sort: string) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds((rows[middle] as Sorted).sort)) high = middle;
    else low = middle + 1;
  }
  return low;
}
