import { Fifo } from './fifo.ts';

/** Runs work when there is a permit for it, in the order of the calls. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Gives permits to items, in the order in which they came. An item that waits takes the memory of its entry in a queue.
 */
export class Permits<Item extends object> {
  readonly #waiting = new Fifo<Item>();
  readonly #start: (item: Item) => void;
  #free: number;
  #isStarting = false;

  /**
   * `start` is called with each item that has got a permit, and must not throw. An item that has a permit must not wait
   * for another one.
   */
  constructor(count: number, start: (item: Item) => void) {
    this.#free = count;
    this.#start = start;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#startWaiting();
  }

  release(): void {
    this.#free += 1;
    this.#startWaiting();
  }

  /**
   * A loop, as an item that ends at once releases its permit before `start` returns: thousands of them would take too
   * much stack.
   */
  #startWaiting(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    while (this.#free > 0) {
      const item = this.#waiting.shift();
      if (item === undefined) break;
      this.#free -= 1;
      this.#start(item);
    }
    this.#isStarting = false;
  }
}

/** Permits for each key on its own. Keys without items take no memory. */
export class KeyedPermits<Item extends object> {
  readonly #known = new Map<string, { permits: Permits<Item>; items: number }>();
  readonly #count: number;
  readonly #start: (item: Item) => void;

  constructor(count: number, start: (item: Item) => void) {
    this.#count = count;
    this.#start = start;
  }

  add(key: string, item: Item): void {
    const own = this.#known.get(key) ?? { permits: new Permits(this.#count, this.#start), items: 0 };
    this.#known.set(key, own);
    own.items += 1;
    own.permits.add(item);
  }

  release(key: string): void {
    const own = this.#known.get(key);
    if (!own) return;
    own.items -= 1;
    if (own.items === 0) this.#known.delete(key);
    else own.permits.release();
  }
}

/** Limits concurrency. Work that holds a permit must not wait for another one. */
export function createLimiter(limit: number): Limiter {
  const permits = new Permits<() => void>(limit, (start) => start());
  return async (work) => {
    await new Promise<void>((resolve) => permits.add(resolve));
    try {
      return await work();
    } finally {
      permits.release();
    }
  };
}
