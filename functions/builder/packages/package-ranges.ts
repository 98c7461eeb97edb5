import * as z from 'zod';
import type { FetchFile } from '../files/fetch-file.ts';
import { RANGE } from '../specifier.ts';

/** Number of folders above the component that are searched for a package.json. */
const LEVELS = 5;

const Manifest = z.object({ dependencies: z.record(z.string(), z.unknown()).default({}) });

/** The folders above a file, nearest first. */
function foldersAbove(address: string): string[] {
  const { origin, pathname } = new URL(address);
  const names = pathname.split('/').slice(1, -1);
  return names
    .map((_, index) => `${origin}/${names.slice(0, names.length - index).join('/')}/`)
    .concat(`${origin}/`);
}

/**
 * Version ranges from the package.json files above a component; for each package the nearest file counts. Missing files are ignored.
 */
export async function rangesAbove(address: string, fetchFile: FetchFile): Promise<Map<string, string>> {
  const folders = foldersAbove(address).slice(0, LEVELS);
  const manifests = await Promise.all(
    folders.map((folder) => fetchFile(`${folder}package.json`).then(dependenciesOf, () => ({}))),
  );
  const ranges = new Map<string, string>();
  for (const dependencies of manifests)
    for (const [name, range] of Object.entries(dependencies))
      if (!ranges.has(name) && typeof range === 'string' && RANGE.test(range) && range)
        ranges.set(name, range);
  return ranges;
}

function dependenciesOf(fetched: Awaited<ReturnType<FetchFile>>): Record<string, unknown> {
  if (!('file' in fetched)) return {};
  try {
    return Manifest.parse(JSON.parse(fetched.file.text)).dependencies;
  } catch {
    return {};
  }
}
