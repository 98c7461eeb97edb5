/** Whether each word of a search is in one of the texts, in any case. A search without words matches. */
export function matchesText(texts: readonly (string | null | undefined)[], search: string): boolean {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return true;
  const all = texts.map((text) => text?.toLowerCase() ?? '');
  return words.every((word) => all.some((text) => text.includes(word)));
}
