import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PackageFiles, packageOf } from '../packages/package-paths.ts';
import { gunzipped } from './gunzipped.ts';

export interface PlacedFiles {
  files: Readonly<PackageFiles>;
  /** Hash of the files. */
  hash: string;
}

/** Paths of files of packages. Writes the data files of a package below the temporary directory on first use. */
export function placedFiles({ files, hash }: PlacedFiles) {
  const written = new Set<string>();
  const root = join(tmpdir(), `component-${hash}`);

  function write(folder: string, own: string): void {
    const packed = files[folder];
    if (packed === undefined) return;
    try {
      mkdirSync(own, { recursive: true });
      if (written.has(folder)) return;
      written.add(folder);
      const contents: Record<string, string> = JSON.parse(gunzipped(packed));
      for (const [file, content] of Object.entries(contents)) {
        const path = join(root, folder, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content, 'base64');
      }
    } catch {
      // The package sees that its file is missing.
    }
  }

  return (file: string) => {
    const folder = packageOf(file);
    const filename = join(root, file);
    if (folder !== undefined) write(folder, dirname(filename));
    return { filename, dirname: dirname(filename), url: pathToFileURL(filename).href };
  };
}
