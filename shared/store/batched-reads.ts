export const endOfTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Reads of one tick of the event loop share a request, and each key is read once. A read starts after it was requested, so it is as
 * consistent as a separate request.
 */
export function batchedReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let pending: { keys: Set<Key>; found: Promise<ReadonlyMap<Key, Value>> } | undefined;
  return async (key) => {
    if (!pending) {
      const keys = new Set<Key>();
      const found = endOfTick().then(() => {
        pending = undefined;
        return read([...keys]);
      });
      pending = { keys, found };
    }
    pending.keys.add(key);
    return (await pending.found).get(key);
  };
}
