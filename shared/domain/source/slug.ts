import { cut } from '../../lib/cut.ts';

const LONGEST_SLUG = 64;

/** `Bar HTTP` → `bar-http`. */
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

/** The n-th candidate for a slug: itself, then with suffix `-1`, `-2` …, within the length limit. */
function numberedSlug(slug: string, n: number): string {
  if (n === 0) return slug;
  const suffix = `-${n}`;
  return `${cut(slug, LONGEST_SLUG - suffix.length).replace(/-$/, '')}${suffix}`;
}

/** The first candidate that is not in use. */
export function freeSlug(slug: string, inUse: ReadonlySet<string>): string {
  let n = 0;
  while (inUse.has(numberedSlug(slug, n))) n += 1;
  return numberedSlug(slug, n);
}
