import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this checkout. */
export const root = dirname(import.meta.dirname);

/** npm's lock files stand for the installed packages; the guide has a page of the README. */
const RECORDS = ['README.md', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'];

/** A hash over names, sizes and modification times of the files in some folders, without reading their contents. */
export function sourceKey(folders) {
  const hash = createHash('sha256');
  for (const file of [...folders.flatMap(filesIn), ...RECORDS].sort()) {
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    hash.update(`${file} ${found?.size} ${found?.mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 32);
}

const filesIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
