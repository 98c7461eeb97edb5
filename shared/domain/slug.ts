const LONGEST_SLUG = 64;

/** `Bar HTTP` → `bar-http` (decisions, "Sources"). */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, LONGEST_SLUG)
    .replace(/-$/, '');
  return slug === '' ? 'source' : slug;
}

/** The n-th choice for a slug: itself, then `-1`, `-2` …, never longer than a slug may be. */
function numberedSlug(slug: string, n: number): string {
  if (n === 0) return slug;
  const suffix = `-${n}`;
  return `${slug.slice(0, LONGEST_SLUG - suffix.length).replace(/-$/, '')}${suffix}`;
}

/** The smallest free choice. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  let n = 0;
  while (taken.has(numberedSlug(slug, n))) n += 1;
  return numberedSlug(slug, n);
}
