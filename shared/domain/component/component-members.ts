/** Top-level members that mean something. */
const MEMBERS = [
  'name',
  'key',
  'version',
  'type',
  'description',
  'props',
  'methods',
  'hooks',
  'dedupe',
  'run',
  'additionalProps',
  'sampleEmit',
] as const;

/** Members of old components and of other tools, which mean nothing here. */
const TOLERATED: ReadonlySet<string> = new Set(['app', 'activate', 'deactivate', 'deploy', 'annotations', 'ai']);

export const isKnownMember = (name: string): boolean =>
  TOLERATED.has(name) || MEMBERS.some((member) => member === name);

/** The member that a name was surely meant to be. */
export const memberLike = (name: string): string | undefined => nearMatch(name, MEMBERS);

/** The candidate that differs from the text by its case, or by one or two letters; undefined without such a one. */
export function nearMatch(text: string, candidates: readonly string[]): string | undefined {
  const lower = text.toLowerCase();
  const near = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length > 4 ? 2 : 1));
  return near.sort((a, b) => a.distance - b.distance)[0]?.candidate;
}

/**
 * Optimal string alignment: letters to insert, delete, replace, or exchange with their neighbour. Long texts are far
 * from every name.
 */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, n) => n)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const steps = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1)];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) steps.push(at(i - 2, j - 2) + 1);
      row.push(Math.min(...steps));
    }
  }
  return at(a.length, b.length);
}
