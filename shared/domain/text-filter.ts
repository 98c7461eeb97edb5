/** The filter of a list's `q`: keeps items of which one text contains it, ignoring case. Undefined without `q`. */
export function textFilter<T>(
  q: string | undefined,
  textsOf: (item: T) => readonly (string | null | undefined)[],
): ((item: T) => boolean) | undefined {
  if (q === undefined) return undefined;
  const wanted = q.toLowerCase();
  return (item) => textsOf(item).some((text) => text?.toLowerCase().includes(wanted));
}
