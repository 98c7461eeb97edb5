/** Runs work when there is a place for it, in the order of the calls. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits concurrency. Work that holds a place must not wait for another one. */
export function createLimiter(limit: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Limits concurrency for each key on its own. Keys without work take no memory. */
export function createKeyedLimiter(limit: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const limiters = new Map<string, { limited: Limiter; users: number }>();
  return async (key, work) => {
    const known = limiters.get(key) ?? { limited: createLimiter(limit), users: 0 };
    limiters.set(key, known);
    known.users += 1;
    try {
      return await known.limited(work);
    } finally {
      known.users -= 1;
      if (known.users === 0) limiters.delete(key);
    }
  };
}
