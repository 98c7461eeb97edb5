import * as z from 'zod';

/** Number of folders, from that of a component upwards, that are searched for a package.json. */
export const MANIFEST_LEVELS = 5;

/** Versions, ranges and tags, but nothing that npm would read as a path, a URL or an alias. */
export const RANGE = /^[\w.+*^~<>=| -]*$/;

const Manifest = z.object({ dependencies: z.record(z.string(), z.unknown()).default({}) });

/** The version ranges of packages in the text of a package.json. A text that is none has no ranges. */
function rangesOf(text: string): [string, string][] {
  try {
    const { dependencies } = Manifest.parse(JSON.parse(text));
    return Object.entries(dependencies).flatMap(([name, range]): [string, string][] =>
      typeof range === 'string' && range !== '' && RANGE.test(range) ? [[name, range]] : [],
    );
  } catch {
    return [];
  }
}

/** Adds the ranges of a package.json for packages that no nearer one has. Returns whether it has any. */
export function addRanges(
  ranges: Map<string, string>,
  text: string,
  includes: (name: string) => boolean = () => true,
): boolean {
  const added = rangesOf(text).filter(([name]) => includes(name) && !ranges.has(name));
  for (const [name, range] of added) ranges.set(name, range);
  return added.length > 0;
}
