import { randomInt } from 'node:crypto';
import { USERS } from './level.ts';
import { usersWithProcesses } from './user-processes.ts';

/** Gives each owner an operating-system user and a group of its own. An owner keeps its user until it is released. */
export class Users {
  readonly #byOwner = new Map<string, { id: number; uses: number }>();
  readonly #taken = new Set<number>();
  /** Another service on this machine may use the same range: each begins elsewhere. */
  #next = randomInt(USERS.first, USERS.last + 1);

  /** Throws when every user is taken. */
  take(owner: string): number {
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
   * Ends one use. The answer is the user if no process of it should be left. `keepsUser`: files of it remain, so it is not given to another
   * owner.
   */
  release(owner: string, { keepsUser }: { keepsUser: boolean }): number | undefined {
    const known = this.#byOwner.get(owner);
    if (!known) return undefined;
    known.uses -= 1;
    if (known.uses > 0) return undefined;
    if (!keepsUser) {
      this.#byOwner.delete(owner);
      this.#taken.delete(known.id);
    }
    return known.id;
  }

  get all(): readonly number[] {
    return [...this.#taken];
  }

  /** The users in turn, so that files which a process left behind belong to nobody for as long as possible. */
  #free(): number {
    const others = usersWithProcesses();
    for (let tries = USERS.first; tries <= USERS.last; tries += 1) {
      const id = this.#next;
      this.#next = id === USERS.last ? USERS.first : id + 1;
      if (!this.#taken.has(id) && !others.has(id)) return id;
    }
    throw new Error('Every operating-system user for components is taken.');
  }
}
