import type { OwnedRows } from './disk.ts';
import type { DiskValue } from './disk-value.ts';
import type { Journal } from './journal.ts';
import type { JournalMove } from './journal-move.ts';
import { deleteIn, mergeIn, putIn, type Write, type Writes } from './write-layer.ts';

/**
 * The writes that LevelDB does not have, in the order of their commits: those on their way to it, those that are only
 * in the journal, and those that are staged for the next commit.
 */
export class UnmovedWrites {
  readonly #journal: Journal;
  readonly #move: JournalMove;
  readonly #owners: OwnedRows[] = [];
  #recent: Writes;
  #staged: Writes = new Map();

  constructor(journal: Journal, move: JournalMove, recent: Writes) {
    this.#journal = journal;
    this.#move = move;
    this.#recent = recent;
  }

  put(key: string, value: DiskValue): void {
    putIn(this.#staged, key, { value, isNew: false });
  }

  putNew(key: string, value: DiskValue): void {
    putIn(this.#staged, key, { value, isNew: true });
  }

  del(key: string): void {
    deleteIn(this.#staged, key);
  }

  own(rows: OwnedRows): void {
    this.#owners.push(rows);
  }

  /** The last write of a key. Without a value it is a deletion. */
  find(key: string): Write | undefined {
    return this.#staged.get(key) ?? this.#recent.get(key) ?? this.#move.writes?.get(key);
  }

  get hasStaged(): boolean {
    return this.#staged.size > 0;
  }

  /** Whether a commit has anything to write. */
  get isChanged(): boolean {
    return this.hasStaged || this.#owners.some(({ isChanged }) => isChanged);
  }

  /** Whether LevelDB lacks anything that is committed. */
  get hasCommitted(): boolean {
    return this.#move.writes !== undefined || this.#recent.size > 0 || this.#owners.some(({ size }) => size > 0);
  }

  /** Appends all changes to the journal or, when it throws, none. Returns whether there were changes. */
  append(): boolean {
    if (!this.isChanged) return false;
    const staged = this.#staged;
    this.#journal.append((write) => {
      for (const [key, { value }] of staged) write(key, value);
      for (const owner of this.#owners) if (owner.isChanged) owner.writeChanges(write);
    });
    this.#staged = new Map();
    for (const owner of this.#owners) if (owner.isChanged) owner.written();
    mergeIn(this.#recent, staged, this.#move.writes);
    return true;
  }

  /**
   * Gives all writes of the journal to the move, with the rows that only their owners and the journal have. Nothing may
   * have changed since the last commit: LevelDB would otherwise have half of a commit after a crash.
   */
  beginMove(): void {
    const putNew = (key: string, value: DiskValue) => {
      putIn(this.#recent, key, { value, isNew: true });
    };
    for (const owner of this.#owners) owner.handOver(putNew);
    const { size: bytes } = this.#journal;
    const forget = this.#journal.rotate();
    this.#move.begin({ writes: this.#recent, bytes, forget });
    this.#recent = new Map();
  }
}
