/** Makes a value at its first use, once. A failure is not kept: the next use makes it again. */
export function atFirstUse<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** As {@link atFirstUse}, for a value that must be waited for. */
export function loadedAtFirstUse<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return async () => {
    try {
      return await (loading ??= load());
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
}
