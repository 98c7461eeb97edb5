export const endOfTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Reads that are asked for within one turn of the event loop share a request, and each key is read once: what concurrent work needs at the
 * same moment costs as much as what one needs. A read begins after it was asked for, so it is as consistent as a request of one's own.
 */
export function batchedReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let asked: { keys: Set<Key>; found: Promise<ReadonlyMap<Key, Value>> } | undefined;
  return async (key) => {
    if (!asked) {
      const keys = new Set<Key>();
      const found = endOfTick().then(() => {
        asked = undefined;
        return read([...keys]);
      });
      asked = { keys, found };
    }
    asked.keys.add(key);
    return (await asked.found).get(key);
  };
}
