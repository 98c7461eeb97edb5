/** A filter for the query parameter `q`: keeps items with a text that contains it, ignoring case. Undefined without `q`. */
export function textFilter<T>(
  q: string | undefined,
  textsOf: (item: T) => readonly (string | null | undefined)[],
): ((item: T) => boolean) | undefined {
  if (q === undefined) return undefined;
  const search = q.toLowerCase();
  return (item) => textsOf(item).some((text) => text?.toLowerCase().includes(search));
}
