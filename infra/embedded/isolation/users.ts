import { randomInt } from 'node:crypto';
import { USERS } from './level.ts';
import { usersWithProcesses } from './user-processes.ts';

/** Ends what is left of a user, and removes its files. False if a process may be left. */
type Clear = (user: number, options: { isUnused: boolean }) => Promise<boolean>;

/** Other services start processes seldom, and reading all processes takes milliseconds. */
const MAX_SCAN_AGE_MS = 1000;

interface UsersOptions {
  /** Users that have a process on this machine. */
  inUse: () => ReadonlySet<number>;
  /** Steady time in ms. */
  now: () => number;
}

/** Gives each owner an operating-system user and a group of its own. An owner keeps its user until it is released. */
export class Users {
  readonly #byOwner = new Map<string, { id: number; uses: number }>();
  readonly #taken = new Set<number>();
  /** Owners whose processes are being ended. */
  readonly #clearing = new Map<string, Promise<unknown>>();
  /** Another service on this machine may use the same range: each begins elsewhere. */
  #next = randomInt(USERS.first, USERS.last + 1);
  /** Users that had a process at the last scan. */
  #others: ReadonlySet<number> = new Set();
  #scannedAt = -Infinity;
  readonly #inUse: () => ReadonlySet<number>;
  readonly #now: () => number;

  constructor({ inUse = usersWithProcesses, now = () => performance.now() }: Partial<UsersOptions> = {}) {
    this.#inUse = inUse;
    this.#now = now;
  }

  /** Throws when every user is taken. */
  async take(owner: string): Promise<number> {
    // A new process would be ended with the last ones.
    for (let last = this.#clearing.get(owner); last; last = this.#clearing.get(owner)) await last;
    const known = this.#byOwner.get(owner);
    if (known) {
      known.uses += 1;
      return known.id;
    }
    const id = this.#free();
    this.#taken.add(id);
    this.#byOwner.set(owner, { id, uses: 1 });
    return id;
  }

  /**
   * Ends one use. After the last one the user is cleared and may be given to another owner. `keepsUser`: files of it
   * remain, so it is not.
   */
  async release(owner: string, clear: Clear, { keepsUser }: { keepsUser: boolean }): Promise<void> {
    const known = this.#byOwner.get(owner);
    if (!known) return;
    known.uses -= 1;
    const isUnused = known.uses === 0;
    const cleared = clear(known.id, { isUnused }).catch(() => false);
    if (isUnused) this.#clearing.set(owner, cleared);
    const isClear = await cleared;
    if (!isUnused) return;
    this.#clearing.delete(owner);
    if (keepsUser || !isClear) return;
    this.#byOwner.delete(owner);
    this.#taken.delete(known.id);
  }

  get all(): readonly number[] {
    return [...this.#taken];
  }

  /**
   * The users one after the other, so that the user of files which a process left behind is used again as late as
   * possible.
   */
  #free(): number {
    const others = this.#otherUsers();
    for (let tries = USERS.first; tries <= USERS.last; tries += 1) {
      const id = this.#next;
      this.#next = id === USERS.last ? USERS.first : id + 1;
      if (!this.#taken.has(id) && !others.has(id)) return id;
    }
    throw new Error('Every operating-system user for components is taken.');
  }

  #otherUsers(): ReadonlySet<number> {
    const now = this.#now();
    if (now - this.#scannedAt < MAX_SCAN_AGE_MS) return this.#others;
    this.#scannedAt = now;
    this.#others = this.#inUse();
    return this.#others;
  }
}
