/** Makes a value at its first use, once. A failure is not kept: the next use makes it again. */
export function atFirstUse<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
