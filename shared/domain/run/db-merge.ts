/** Key to JSON text. A Map, because any name may be a key, `__proto__` too. */
function entriesOf(db: string): Map<string, string> {
  const value: unknown = JSON.parse(db);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(entries.map(([key, member]) => [key, JSON.stringify(member)]));
}

const textOf = (entries: ReadonlyMap<string, string>): string =>
  `{${[...entries].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;

/** Bytes of a member in JSON, with the comma after it. */
const memberBytes = (key: string, json: string | undefined): number =>
  json === undefined ? 0 : Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(json) + ':,'.length;

export interface MergedDb {
  /** JSON text of an object. */
  json: string;
  /** Number of the run's values that did not fit. */
  leftOut: number;
}

/**
 * Applies a run's changes to the current db: keys that the run set or deleted take the run's value, all others keep
 * their current value. A value that would make the db longer than `limit` bytes is left out. All three texts are JSON
 * objects; `before` and `after` are within the limit.
 */
export function mergeDb(
  { before, after, current }: { before: string; after: string; current: string },
  limit: number,
): MergedDb {
  if (before === current) return { json: after, leftOut: 0 };
  if (before === after) return { json: current, leftOut: 0 };
  const old = entriesOf(before);
  const updated = entriesOf(after);
  const merged = entriesOf(current);
  for (const key of old.keys()) if (!updated.has(key)) merged.delete(key);
  const changed = [...updated].filter(([key, json]) => old.get(key) !== json);
  const leftOut = setAll(merged, changed, limit);
  return { json: textOf(merged), leftOut };
}

/** Sets the members that fit. Returns how many did not. */
function setAll(entries: Map<string, string>, changed: readonly [string, string][], limit: number): number {
  let bytes = '{}'.length - ','.length;
  for (const [key, json] of entries) bytes += memberBytes(key, json);
  const isSet = ([key, json]: readonly [string, string]): boolean => {
    const next = bytes + memberBytes(key, json) - memberBytes(key, entries.get(key));
    if (next > Math.max(limit, bytes)) return false;
    entries.set(key, json);
    bytes = next;
    return true;
  };
  return changed.filter((member) => !isSet(member)).length;
}
