/**
 * Alternating names and values: the form in which undici takes them with the least work. A name may come more than
 * once.
 */
export type HeaderList = string[];

export const headerList = (pairs: readonly (readonly [string, string])[]): HeaderList => pairs.flat();

/** The headers by their names. A later value replaces an earlier one. */
export function headersByName(list: HeaderList): Record<string, string> {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < list.length; at += 2) pairs.push([list[at] ?? '', list[at + 1] ?? '']);
  return Object.fromEntries(pairs);
}
