import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addRanges, MANIFEST_LEVELS } from '../../../shared/domain/component/package-ranges.ts';

export interface PackageRanges {
  ranges: Record<string, string>;
  /** The package.json files that they come from. */
  paths: string[];
}

/**
 * Version ranges of packages from the package.json files in and above a folder; for each package the nearest file
 * counts.
 */
export async function packageRanges(folder: string, packages: ReadonlySet<string>): Promise<PackageRanges> {
  const ranges = new Map<string, string>();
  const paths: string[] = [];
  let from = folder;
  for (let level = 0; level < MANIFEST_LEVELS; level += 1) {
    const path = join(from, 'package.json');
    const text = await readFile(path, 'utf8').catch(() => '');
    if (addRanges(ranges, text, (name) => packages.has(name))) paths.push(path);
    from = dirname(from);
  }
  return { ranges: Object.fromEntries([...ranges].sort()), paths };
}

/** The package of an import without a version of its own; undefined for any other import. */
export function packageOfImport(specifier: string): string | undefined {
  const [, name] = /^((?:@[^/@:]+\/)?[^/@:.#][^/@:]*)(?:\/.*)?$/.exec(specifier) ?? [];
  return name;
}
