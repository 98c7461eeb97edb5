import * as z from 'zod';
import type { FetchFile } from './fetch-file.ts';
import { RANGE } from './specifier.ts';

/** Folders above the component that are asked: an app's, its collection's, its repository's. */
const LEVELS = 5;

const Manifest = z.object({ dependencies: z.record(z.string(), z.unknown()).default({}) });

/** The folders of a file, the nearest first, without those that only hold the host's own paths. */
function foldersAbove(address: string): string[] {
  const { origin, pathname } = new URL(address);
  const names = pathname.split('/').slice(1, -1);
  return names
    .map((_, index) => `${origin}/${names.slice(0, names.length - index).join('/')}/`)
    .concat(`${origin}/`);
}

/**
 * The ranges that the package.json files above a component give: the nearest that names a package decides, as for a published
 * package. Every one of them may be missing.
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
