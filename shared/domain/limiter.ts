import { Fifo } from './fifo.ts';

/** Runs work when there is a place for it, in the order of the calls. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** Places for work, given in the order of the calls. Work that holds a place must not wait for another one. */
export interface Places {
  /** Takes a place. If none is free, returns a promise that resolves with the turn of the caller. */
  take(): Promise<void> | undefined;
  release(): void;
}

export function createPlaces(count: number): Places {
  let taken = 0;
  const waiting = new Fifo<() => void>();
  return {
    take() {
      if (taken >= count) {
        return new Promise((resolve) => {
          waiting.push(resolve);
        });
      }
      taken += 1;
      return undefined;
    },
    release() {
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    },
  };
}

/** Places for each key on its own. Keys without work take no memory. */
export function createKeyedPlaces(count: number) {
  const known = new Map<string, { places: Places; users: number }>();
  return {
    take(key: string): Promise<void> | undefined {
      const own = known.get(key) ?? { places: createPlaces(count), users: 0 };
      known.set(key, own);
      own.users += 1;
      return own.places.take();
    },

    release(key: string): void {
      const own = known.get(key);
      if (!own) return;
      own.places.release();
      own.users -= 1;
      if (own.users === 0) known.delete(key);
    },
  };
}

/** Limits concurrency. Work that holds a place must not wait for another one. */
export function createLimiter(limit: number): Limiter {
  const places = createPlaces(limit);
  return async (work) => {
    const wait = places.take();
    if (wait) await wait;
    try {
      return await work();
    } finally {
      places.release();
    }
  };
}
