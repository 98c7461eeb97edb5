import { distance } from 'fastest-levenshtein';

/** The candidate that a text was probably meant to be; undefined if none is close. */
export function closest(text: string, candidates: Iterable<string>): string | undefined {
  const typed = text.toLowerCase();
  let best: string | undefined;
  let fewest = Math.ceil(text.length * 0.4);
  for (const candidate of new Set(candidates)) {
    // Some things have no name or key.
    if (candidate === '') continue;
    const edits = distance(typed, candidate.toLowerCase());
    if (edits > fewest || (edits === fewest && best !== undefined)) continue;
    best = candidate;
    fewest = edits;
  }
  return best;
}

/** ` Did you mean orders?`, or nothing. */
export function suggestion(text: string, candidates: Iterable<string>): string {
  const meant = closest(text, candidates);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
