/** Any name is a key, `__proto__` too. */
function entriesOf(db: string): [string, unknown][] {
  const value: unknown = JSON.parse(db);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/**
 * The db as it is now, with what a run changed of the one that it was given: keys that it set or deleted are as it left them, all
 * others are as others left them. All three, and the answer, are the JSON text of an object.
 */
export function mergeDb({ given, left, now }: { given: string; left: string; now: string }): string {
  if (given === now) return left;
  if (given === left) return now;
  const before = new Map(entriesOf(given).map(([key, value]) => [key, JSON.stringify(value)]));
  const merged = new Map(entriesOf(now));
  for (const [key, value] of entriesOf(left)) {
    if (before.get(key) !== JSON.stringify(value)) merged.set(key, value);
    before.delete(key);
  }
  for (const deleted of before.keys()) merged.delete(deleted);
  return JSON.stringify(Object.fromEntries(merged));
}
