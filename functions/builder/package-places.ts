import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Files that are code or prose, hence never read beside a package's code at run time. */
const NEVER_READ =
  /\.(?:[cm]?[jt]sx?|map|md|markdown|flow|html|yml)$|(?:^|\/)(?:LICENSE|CHANGELOG|AUTHORS|node_modules|test|tests|docs)(?:\/|$)/i;

/** A package with more than this beside its code is left alone: it would outweigh the component. */
const PACKAGE_BYTES = 4 * 1024 * 1024;

const NAMES = /\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename)\b/;

/**
 * Gives code in a bundle the place it had before: `__dirname`, `__filename` and `import.meta` become calls of `__place`, which the
 * bundle defines. Lines keep their numbers.
 */
export function withPlace(text: string, file: string): string | undefined {
  if (!NAMES.test(text)) return undefined;
  const call = `__place(${JSON.stringify(file)})`;
  const moved = text.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, member) => `${call}.${member}`);
  const missing = ['dirname', 'filename'].filter(
    (name) =>
      new RegExp(`\\b__${name}\\b`).test(moved) &&
      !new RegExp(`\\b(?:const|let|var)\\b[^;=]*\\b__${name}\\b`).test(moved),
  );
  if (missing.length === 0) return moved;
  return `var ${missing.map((name) => `__${name} = ${call}.${name}`).join(', ')}; ${moved}`;
}

/** `node_modules/@scope/name` of a file in it. */
export function packageOf(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

/** What lies beside the code of packages, by package; each value is gzipped JSON of file → base64, itself in base64. */
export type PackageFiles = Record<string, string>;

/** Collects what packages may read beside their code, once for each package. */
export function packageFiles(root: string) {
  const wanted = new Set<string>();

  async function collect(folder: string): Promise<string | undefined> {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    const found: Record<string, string> = {};
    let bytes = 0;
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const inPackage = relative(join(root, folder), path);
      if (!entry.isFile() || NEVER_READ.test(inPackage)) continue;
      bytes += (await stat(path)).size;
      if (bytes > PACKAGE_BYTES) return undefined;
      found[inPackage] = await readFile(path, 'base64');
    }
    return bytes > 0 ? gzipSync(JSON.stringify(found)).toString('base64') : undefined;
  }

  return {
    want: (file: string): void => {
      const folder = packageOf(file);
      if (folder) wanted.add(folder);
    },
    async all(): Promise<PackageFiles> {
      const found: PackageFiles = {};
      for (const folder of [...wanted].sort()) {
        const files = await collect(folder);
        if (files) found[folder] = files;
      }
      return found;
    },
  };
}
