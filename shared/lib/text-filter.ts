/**
 * A filter for the query parameter `q`: keeps items with a text that contains it, ignoring case. Undefined without `q`.
 */
export function textFilter<T>(
  q: string | undefined,
  textsOf: (item: T) => readonly (string | null | undefined)[],
): ((item: T) => boolean) | undefined {
  if (q === undefined) return undefined;
  const search = q.toLowerCase();
  return (item) => textsOf(item).some((text) => text?.toLowerCase().includes(search));
}

/** A filter for the query parameter `tag`: keeps items with this tag. Undefined without `tag`. */
export const tagFilter = <T>(tag: string | undefined, tagsOf: (item: T) => readonly string[]) =>
  tag === undefined ? undefined : (item: T): boolean => tagsOf(item).includes(tag);

type Filter<T> = (item: T) => boolean | Promise<boolean>;

/** Items that pass every filter, which are asked one after the other; undefined without any. */
export function everyFilter<T>(...filters: readonly (Filter<T> | undefined)[]): Filter<T> | undefined {
  const active = filters.filter((filter) => filter !== undefined);
  if (active.length === 0) return undefined;
  return async (item) => {
    for (const filter of active) if (!(await filter(item))) return false;
    return true;
  };
}
