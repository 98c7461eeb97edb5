import { USERS } from './level.ts';

/** Gives each owner an operating-system user and a group of its own. An owner keeps its user until it is released. */
export class Users {
  readonly #byOwner = new Map<string, { id: number; uses: number }>();
  readonly #taken = new Set<number>();
  #next: number = USERS.first;

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

  release(owner: string): void {
    const known = this.#byOwner.get(owner);
    if (!known) return;
    known.uses -= 1;
    if (known.uses > 0) return;
    this.#byOwner.delete(owner);
    this.#taken.delete(known.id);
  }

  /** The users in turn, so that files which a process left behind belong to nobody for as long as possible. */
  #free(): number {
    for (let tries = USERS.first; tries <= USERS.last; tries += 1) {
      const id = this.#next;
      this.#next = id === USERS.last ? USERS.first : id + 1;
      if (!this.#taken.has(id)) return id;
    }
    throw new Error('Every operating-system user for components is taken.');
  }
}
