import type { ItemWatch } from '../../store/table/item-watch.ts';
import type { Key } from '../../store/table/table-client.ts';

/** Interval of the checks: the expiry of a key changes no item. */
const CHECK_MS = 30_000;

interface Check {
  readonly ends: Set<() => void>;
  readonly stop: () => void;
}

/** Whether keys and emitters still exist: one check for all listeners that need the same item. */
export class SharedChecks {
  readonly #watch: ItemWatch;
  readonly #checks = new Map<string, Check>();

  constructor(watch: ItemWatch) {
    this.#watch = watch;
  }

  /** Calls `end` once the item is not valid any more. The returned function ends the check. */
  add(key: Key, isValid: () => Promise<boolean>, end: () => void): () => void {
    const name = JSON.stringify(key);
    const known = this.#checks.get(name) ?? this.#start(key, isValid);
    this.#checks.set(name, known);
    known.ends.add(end);
    return () => {
      known.ends.delete(end);
      if (known.ends.size > 0) return;
      known.stop();
      if (this.#checks.get(name) === known) this.#checks.delete(name);
    };
  }

  #start(key: Key, isValid: () => Promise<boolean>): Check {
    const ends = new Set<() => void>();
    const check = async () => {
      // A table that refuses the read for a moment ends no stream; the next change or interval checks again.
      if (await isValid().catch(() => true)) return;
      for (const end of ends) end();
    };
    const stop = this.#watch(key, { everyMs: CHECK_MS, isTimed: true, onChange: () => void check() });
    return { ends, stop };
  }
}
