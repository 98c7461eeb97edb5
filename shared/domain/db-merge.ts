/** Any name is a key, `__proto__` too. Values as JSON text. */
function entriesOf(db: string): Map<string, string> {
  const value: unknown = JSON.parse(db);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(entries.map(([key, member]) => [key, JSON.stringify(member)]));
}

const textOf = (entries: ReadonlyMap<string, string>): string =>
  `{${[...entries].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;

/** With the comma that separates it from the next. */
const memberBytes = (key: string, json: string | undefined): number =>
  json === undefined ? 0 : Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(json) + ':,'.length;

export interface MergedDb {
  /** JSON text of an object. */
  json: string;
  /** How many values that the run set did not fit beside what others wrote. */
  leftOut: number;
}

/**
 * The db as it is now, with the changes that a run made to the db it was given: keys that the run set or deleted are as the run left them,
 * all others are as others left them. A value that would make the db longer than `limit` bytes is left out. All three texts are JSON of an
 * object; what a run was given, and what it left, keeps the limit by itself.
 */
export function mergeDb(
  { given, left, now }: { given: string; left: string; now: string },
  limit: number,
): MergedDb {
  if (given === now) return { json: left, leftOut: 0 };
  if (given === left) return { json: now, leftOut: 0 };
  const before = entriesOf(given);
  const after = entriesOf(left);
  const merged = entriesOf(now);
  for (const key of before.keys()) if (!after.has(key)) merged.delete(key);
  const changed = [...after].filter(([key, json]) => before.get(key) !== json);
  const leftOut = setAll(merged, changed, limit);
  return { json: textOf(merged), leftOut };
}

/** Sets what fits; answers how much did not. */
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
