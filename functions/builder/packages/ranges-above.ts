import { addRanges, MANIFEST_LEVELS } from '../../../shared/domain/component/package-ranges.ts';
import type { FetchFile } from '../files/fetch-file.ts';

/** The folders above a file, nearest first. */
function foldersAbove(address: string): string[] {
  const { origin, pathname } = new URL(address);
  const names = pathname.split('/').slice(1, -1);
  return names.map((_, index) => `${origin}/${names.slice(0, names.length - index).join('/')}/`).concat(`${origin}/`);
}

/**
 * Version ranges from the package.json files above a component; for each package the nearest file counts. Missing files
 * are ignored.
 */
export async function rangesAbove(address: string, fetchFile: FetchFile): Promise<Map<string, string>> {
  const folders = foldersAbove(address).slice(0, MANIFEST_LEVELS);
  const manifests = await Promise.all(
    folders.map((folder) => fetchFile(`${folder}package.json`).catch(() => undefined)),
  );
  const ranges = new Map<string, string>();
  for (const fetched of manifests) if (fetched && 'file' in fetched) addRanges(ranges, fetched.file.text);
  return ranges;
}
