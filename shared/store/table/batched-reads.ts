export const endOfTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Requests that callers share: at most one request of each name is under way, and callers that come meanwhile share the
 * next one. It starts after all of them have asked, so a read is as consistent as a separate one.
 */
export function sharedRequests<Result>(): (name: string, send: () => Promise<Result>) => Promise<Result> {
  const next = new Map<string, Promise<Result>>();
  const underWay = new Map<string, Promise<unknown>>();
  return (name, send) => {
    const shared = next.get(name);
    if (shared) return shared;
    const before = underWay.get(name) ?? endOfTick();
    const result = before.then(() => {
      next.delete(name);
      const ended = result
        .catch(() => undefined)
        .finally(() => {
          if (underWay.get(name) === ended) underWay.delete(name);
        });
      underWay.set(name, ended);
      return send();
    });
    next.set(name, result);
    return result;
  };
}

/** Stands for a value that cannot be read: the callers that ask for it get the error, and the others their values. */
export class ReadError {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

export function valueOrError<Value>(read: () => Value): Value | ReadError {
  try {
    return read();
  } catch (error) {
    return new ReadError(error);
  }
}

/** Reads by key that callers share, as {@link sharedRequests} do. Each key is read once. */
export function batchedReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value | ReadError>>,
): (key: Key) => Promise<Value | undefined> {
  const shared = sharedRequests<ReadonlyMap<Key, Value | ReadError>>();
  let wanted = new Set<Key>();
  return async (key) => {
    wanted.add(key);
    const found = await shared('', () => {
      const keys = [...wanted];
      wanted = new Set();
      return read(keys);
    });
    const value = found.get(key);
    if (value instanceof ReadError) throw value.cause;
    return value;
  };
}
