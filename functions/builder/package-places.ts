import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Prose and what only tools read: nothing that a package reads beside its code at run time. */
const NEVER_READ =
  /\.(?:map|md|markdown|flow|d\.[cm]?ts)$|(?:^|\/)\.[^/]*(?:\/|$)|(?:^|\/)(?:LICENSE|CHANGELOG|AUTHORS|node_modules|test|tests|docs)(?:\/|$)/i;
/** Code is in the bundle already, and is read only by packages that put its path together at run time. */
const CODE = /\.[cm]?[jt]sx?$/i;

/** A package with more than this beside its code is left alone: it would outweigh the component. */
const PACKAGE_BYTES = 4 * 1024 * 1024;

/** The path of a file beside, which a package hands to something else, such as a worker. */
const RESOLVED = /\brequire\.resolve\s*\(\s*(["'])(\.{1,2}\/[^"']+)\1\s*\)/g;
const NAMES =
  /\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename)\b|\brequire\.resolve\s*\(\s*["']\./;

/** `require(__dirname + '/x')` and its like, which mean `require('./x')`. */
const REQUIRED_BY_PLACE =
  /\b(require|import)\s*\(\s*(?:__dirname\s*\+\s*(["'])\/([\w./@-]+)\2|`\$\{__dirname\}\/([\w./@-]+)`|(?:\w+\.)?(?:join|resolve)\s*\(\s*__dirname\s*,\s*(["'])(?:\.?\/)?([\w./@-]+)\5\s*\))\s*\)/g;
const COMPUTED_REQUIRE = /\brequire\s*\(\s*[^\s"'`)]/;

/** Whether the file itself declares the name for all of its code, which then may not be declared once more. */
const declares = (text: string, name: string): boolean =>
  new RegExp(
    `\\b(?:const|let|class|function)\\s+${name}\\b|,\\s*${name}\\s*=(?!=)|[{,]\\s*(?:[\\w$]+\\s*(?::|as\\b)\\s*)?${name}\\s*(?:,[^}=]*)?\\}\\s*(?:=[^>=]|from\\b)`,
  ).test(text);

/**
 * Gives code in a bundle the place it had before: `__dirname`, `__filename` and `import.meta` become calls of `__place`, which the
 * bundle defines. Lines keep their numbers.
 */
export function withPlace(text: string, file: string): string | undefined {
  if (!NAMES.test(text)) return undefined;
  const call = `__place(${JSON.stringify(file)})`;
  const moved = text
    // Only a comment, which must stand first to be one.
    .replace(/^#!/, '//#!')
    .replace(
      REQUIRED_BY_PLACE,
      (_, word, _quote, added, filled, _other, joined) => `${word}("./${added ?? filled ?? joined}")`,
    )
    .replace(
      RESOLVED,
      (_, _quote, path: string) =>
        `__place(${JSON.stringify(posix.join(posix.dirname(file), path))}).filename`,
    )
    .replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, member) => `${call}.${member}`);
  const missing = ['dirname', 'filename'].filter(
    (name) => new RegExp(`\\b__${name}\\b`).test(moved) && !declares(moved, `__${name}`),
  );
  if (missing.length === 0) return moved;
  return `var ${missing.map((name) => `__${name} = ${call}.${name}`).join(', ')}; ${moved}`;
}

/** Whether code that knows its place may ask for other code by a path put together at run time. */
export const requiresByPath = (text: string): boolean => COMPUTED_REQUIRE.test(text);

/** `node_modules/@scope/name` of a file in it. */
export function packageOf(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

/** What lies beside the code of packages, by package; each value is gzipped JSON of file → base64, itself in base64. */
export type PackageFiles = Record<string, string>;

/** Collects what packages may read beside their code, once for each package. */
export function packageFiles(root: string) {
  /** Folder → whether its code is read too. */
  const wanted = new Map<string, boolean>();

  async function collect(folder: string, hasCode: boolean): Promise<string | undefined> {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    const found: Record<string, string> = {};
    let bytes = 0;
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const inPackage = relative(join(root, folder), path);
      if (!entry.isFile() || NEVER_READ.test(inPackage) || (!hasCode && CODE.test(inPackage))) continue;
      bytes += (await stat(path)).size;
      if (bytes > PACKAGE_BYTES) return hasCode ? collect(folder, false) : undefined;
      found[inPackage] = await readFile(path, 'base64');
    }
    return bytes > 0 ? gzipSync(JSON.stringify(found)).toString('base64') : undefined;
  }

  return {
    want: (file: string, hasCode: boolean): void => {
      const folder = packageOf(file);
      if (folder) wanted.set(folder, hasCode || wanted.get(folder) === true);
    },
    async all(): Promise<PackageFiles> {
      const found: PackageFiles = {};
      for (const [folder, hasCode] of [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const files = await collect(folder, hasCode);
        if (files) found[folder] = files;
      }
      return found;
    },
  };
}
