/** Beyond these, rows that are not in the list are forgotten. */
const MAX_KNOWN = 10_000;

/**
 * Tells which rows of a list came while it was shown, above those that were there. Rows that were shown before, in
 * another order or under another filter, did not.
 */
export function createArrivals() {
  let known = new Set<string>();
  let arrived = new Set<string>();
  return (ids: readonly string[]): ((id: string) => boolean) => {
    const first = ids.findIndex((id) => known.has(id));
    for (const id of ids.slice(0, Math.max(0, first))) if (!known.has(id)) arrived.add(id);
    for (const id of ids) known.add(id);
    if (known.size > MAX_KNOWN) [known, arrived] = [new Set(ids), new Set(ids.filter((id) => arrived.has(id)))];
    return (id) => arrived.has(id);
  };
}
