import { PackedRows } from './packed-rows.ts';
import { lowerBound, type Row, type Rows } from './row.ts';

const LEAF_ROWS = 128;

/**
 * The rows of one partition in order, in leaves of up to 128 rows. A leaf whose items are no longer in the cache is
 * packed when the partition grows: most of a long partition is never read.
 */
export class Partition implements Rows {
  readonly #name: string;
  readonly #packs: boolean;
  /** None is empty, and the last one is never packed. */
  #leaves: (Row[] | PackedRows)[] = [];
  /** Index of the first row of each leaf, while no row was added or removed since it was asked for. */
  #starts: number[] | undefined;
  #length = 0;

  constructor(name: string, { packs }: { packs: boolean }) {
    this.#name = name;
    this.#packs = packs;
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): Row | undefined {
    const [only] = this.#leaves;
    if (this.#leaves.length === 1) return only?.at(index);
    this.#starts ??= startsOf(this.#leaves);
    const leaf = lastNotAbove(this.#starts, index);
    return this.#leaves[leaf]?.at(index - (this.#starts[leaf] ?? 0));
  }

  get(sort: string): Row | undefined {
    const leaf = this.#leaves[this.#leafOf(sort)] ?? [];
    const row = leaf.at(lowerBound(leaf, sort));
    return row?.sort === sort ? row : undefined;
  }

  /** Adds a row, or replaces and returns its predecessor. */
  put(row: Row): Row | undefined {
    row.partition = this.#name;
    const last = this.#leaves.at(-1)?.at(-1);
    // Most new keys sort last.
    if (!last || last.sort < row.sort) {
      this.#append(row);
      return undefined;
    }
    const leaf = this.#leafOf(row.sort);
    const rows = this.#unpacked(leaf);
    const at = lowerBound(rows, row.sort);
    const found = rows[at];
    if (found?.sort === row.sort) {
      rows[at] = row;
      return found;
    }
    rows.splice(at, 0, row);
    if (rows.length > LEAF_ROWS) this.#leaves.splice(leaf + 1, 0, rows.splice(LEAF_ROWS >>> 1));
    this.#changeLength(1);
    return undefined;
  }

  delete(sort: string): Row | undefined {
    const leaf = this.#leafOf(sort);
    const rows = this.#leaves[leaf] ?? [];
    const at = lowerBound(rows, sort);
    const found = rows.at(at);
    if (found?.sort !== sort) return undefined;
    if (rows.length === 1) this.#removeLeaf(leaf);
    else this.#unpacked(leaf).splice(at, 1);
    this.#changeLength(-1);
    return found;
  }

  /** The rows that expire in a part of the time, in epoch seconds. */
  expiring(from: number, before: number): Row[] {
    return this.#leaves.flatMap((leaf) =>
      leaf instanceof PackedRows
        ? [...leaf.expiring(from, before)]
        : leaf.filter(({ expires }) => expires >= from && expires < before),
    );
  }

  #append(row: Row): void {
    const last = this.#leaves.at(-1);
    if (last === undefined) this.#leaves = [[row]];
    else if (Array.isArray(last) && last.length < LEAF_ROWS) last.push(row);
    else {
      this.#leaves.push([row]);
      if (this.#packs) this.#packCold();
    }
    this.#changeLength(1);
  }

  #packCold(): void {
    for (let leaf = 0; leaf < this.#leaves.length - 1; leaf += 1) {
      const rows = this.#leaves[leaf];
      if (Array.isArray(rows) && rows.every(({ item }) => item === undefined))
        this.#leaves[leaf] = new PackedRows(this.#name, rows);
    }
  }

  #removeLeaf(leaf: number): void {
    this.#leaves.splice(leaf, 1);
    if (this.#leaves.length > 0) this.#unpacked(this.#leaves.length - 1);
  }

  /** The rows of a leaf, for a change of them. */
  #unpacked(leaf: number): Row[] {
    const rows = this.#leaves[leaf] ?? [];
    if (Array.isArray(rows)) return rows;
    return (this.#leaves[leaf] = rowsOf(rows));
  }

  /** The last leaf that begins at or before a sort key, or the first leaf. */
  #leafOf(sort: string): number {
    if (this.#leaves.length === 1) return 0;
    let low = 0;
    let high = this.#leaves.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const first = this.#leaves[middle]?.at(0);
      if (first && first.sort <= sort) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #changeLength(by: 1 | -1): void {
    this.#length += by;
    this.#starts = undefined;
  }
}

export function rowsOf(rows: Rows): Row[] {
  return Array.from({ length: rows.length }, (_, index) => rows.at(index)).filter((row) => row !== undefined);
}

function startsOf(leaves: readonly Rows[]): number[] {
  let start = 0;
  return leaves.map(({ length }) => (start += length) - length);
}

/** Index of the last number that is not above `value`. */
function lastNotAbove(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((ascending[middle] ?? Infinity) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
