import { type Row } from './row.ts';

/** Items above this are read from disk each time. */
const MAX_ITEM_BYTES = 16 * 1024;
/** Memory of one generation's items. */
const GENERATION_BYTES = 24 * 1024 * 1024;
/** Generation of a row whose item must stay, because the disk no longer has it. */
export const PINNED = Number.MAX_SAFE_INTEGER;

/** Memory of an item: its texts, and an object with a slot for each attribute. */
const memoryOf = (row: Row): number => 2 * row.size + 256;

/**
 * Keeps recently used small items in memory: two generations, where the elder is dropped as a whole when the younger
 * is full. A use costs one comparison.
 */
export class ItemCache {
  readonly #generationBytes: number;
  #generation = 1;
  #bytes = 0;
  #younger = new Set<Row>();
  #elder = new Set<Row>();

  constructor(generationBytes = GENERATION_BYTES) {
    this.#generationBytes = generationBytes;
  }

  /** Rows that the cache holds. */
  get size(): number {
    return this.#younger.size + this.#elder.size;
  }

  /** Marks a row, whose `item` is set, as used. */
  use(row: Row): void {
    if (row.generation === this.#generation || row.generation === PINNED) return;
    if (row.size > MAX_ITEM_BYTES) {
      row.item = undefined;
      return;
    }
    this.#elder.delete(row);
    this.#younger.add(row);
    row.generation = this.#generation;
    this.#bytes += memoryOf(row);
    if (this.#bytes > this.#generationBytes) this.#rotate();
  }

  /** Lets go of a row that has left the table: most rows live for seconds, and would otherwise fill the cache. */
  drop(row: Row): void {
    if (this.#younger.delete(row)) this.#bytes -= memoryOf(row);
    else this.#elder.delete(row);
  }

  #rotate(): void {
    for (const row of this.#elder) if (row.generation !== PINNED) row.item = undefined;
    this.#elder = this.#younger;
    this.#younger = new Set();
    this.#bytes = 0;
    this.#generation += 1;
  }
}
