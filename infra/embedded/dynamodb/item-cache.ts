import { type Row } from './row.ts';

/** Items above this are read from disk each time. */
const MAX_ITEM_BYTES = 16 * 1024;
/** Of item bytes per generation; in memory an item takes some two to three times its size. */
const GENERATION_BYTES = 24 * 1024 * 1024;

/**
 * Keeps recently used small items in memory: two generations, where the elder is dropped as a whole when the younger
 * is full. A use costs one comparison.
 */
export class ItemCache {
  private generation = 1;
  private bytes = 0;
  private younger: Row[] = [];
  private elder: Row[] = [];

  /** Marks a row, whose `item` is set, as used. */
  use(row: Row): void {
    if (row.generation === this.generation || row.generation === PINNED) return;
    if (row.size > MAX_ITEM_BYTES) {
      row.item = undefined;
      return;
    }
    row.generation = this.generation;
    this.younger.push(row);
    this.bytes += row.size;
    if (this.bytes > GENERATION_BYTES) this.turn();
  }

  private turn(): void {
    for (const row of this.elder) if (row.generation < this.generation) row.item = undefined;
    this.elder = this.younger;
    this.younger = [];
    this.bytes = 0;
    this.generation += 1;
  }
}

/** Generation of a row whose item must stay, because the disk no longer has it. */
export const PINNED = Number.MAX_SAFE_INTEGER;
