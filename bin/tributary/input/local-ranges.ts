import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';

/** Number of folders that are searched for a package.json, as the service searches them above an address. */
const LEVELS = 5;

const Manifest = z.object({ dependencies: z.record(z.string(), z.unknown()).default({}) });

export interface PackageRanges {
  ranges: Record<string, string>;
  /** The package.json files that they come from. */
  paths: string[];
}

/** Version ranges of packages from the package.json files in and above a folder; for each package the nearest file counts. */
export async function packageRanges(folder: string, packages: ReadonlySet<string>): Promise<PackageRanges> {
  const ranges = new Map<string, string>();
  const paths: string[] = [];
  let from = folder;
  for (let level = 0; level < LEVELS; level += 1) {
    const path = join(from, 'package.json');
    const found = Object.entries(await dependenciesOf(path)).filter(
      (entry): entry is [string, string] =>
        packages.has(entry[0]) && !ranges.has(entry[0]) && typeof entry[1] === 'string',
    );
    for (const [name, range] of found) ranges.set(name, range);
    if (found.length > 0) paths.push(path);
    from = dirname(from);
  }
  return { ranges: Object.fromEntries([...ranges].sort()), paths };
}

/** None of a file that is missing or no manifest. */
async function dependenciesOf(path: string): Promise<Record<string, unknown>> {
  try {
    return Manifest.parse(JSON.parse(await readFile(path, 'utf8'))).dependencies;
  } catch {
    return {};
  }
}

/** The package of an import without a version of its own; undefined for any other import. */
export function packageOfImport(specifier: string): string | undefined {
  const [, name] = /^((?:@[^/@:]+\/)?[^/@:.#][^/@:]*)(?:\/.*)?$/.exec(specifier) ?? [];
  return name;
}
