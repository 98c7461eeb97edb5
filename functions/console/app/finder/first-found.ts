/** Requests that are under way at a time: a browser has six connections to a service, and other parts of the page need some. */
const PARALLEL = 4;

/** The first result of a search through items, several at a time; undefined when none has one. */
export async function firstFound<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Promise<Found | undefined>,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const left = items.values();
  let found: Found | undefined;
  const search = async (): Promise<void> => {
    for (const item of left) {
      if (found !== undefined || signal.aborted) return;
      const result = await find(item);
      found ??= result;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, search));
  return found;
}
