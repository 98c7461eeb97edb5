import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Documentation and files for tools, which packages do not read at run time. */
const NEVER_READ =
  /\.(?:map|md|markdown|flow|d\.[cm]?ts)$|(?:^|\/)\.[^/]*(?:\/|$)|(?:^|\/)(?:LICENSE|CHANGELOG|AUTHORS|node_modules|test|tests|docs)(?:\/|$)/i;
/** Code is in the bundle; only packages that compute paths at run time read it as a file. */
const CODE = /\.[cm]?[jt]sx?$/i;

/** Limit for data files of a package; a larger package gets none. */
const PACKAGE_BYTES = 4 * 1024 * 1024;

/** Resolved path of another file of the package, passed on to a worker, for example. */
const RESOLVED = /\brequire\.resolve\s*\(\s*(["'])(\.{1,2}\/[^"']+)\1\s*\)/g;
const NAMES =
  /\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename)\b|\brequire\.resolve\s*\(\s*["']\./;

/** `require(__dirname + '/x')` and similar forms, which mean `require('./x')`. */
const REQUIRED_BY_PATH =
  /\b(require|import)\s*\(\s*(?:__dirname\s*\+\s*(["'])\/([\w./@-]+)\2|`\$\{__dirname\}\/([\w./@-]+)`|(?:\w+\.)?(?:join|resolve)\s*\(\s*__dirname\s*,\s*(["'])(?:\.?\/)?([\w./@-]+)\5\s*\))\s*\)/g;
const COMPUTED_REQUIRE = /\brequire\s*\(\s*[^\s"'`)]/;

/** Whether the file declares the name itself, so that it must not be declared again. */
const declares = (text: string, name: string): boolean =>
  new RegExp(
    `\\b(?:const|let|class|function)\\s+${name}\\b|,\\s*${name}\\s*=(?!=)|[{,]\\s*(?:[\\w$]+\\s*(?::|as\\b)\\s*)?${name}\\s*(?:,[^}=]*)?\\}\\s*(?:=[^>=]|from\\b)`,
  ).test(text);

/**
 * Gives code in a bundle the paths of its original file: `__dirname`, `__filename` and `import.meta` become calls of
 * `__place`, which the bundle defines. Keeps line numbers.
 */
export function withFilePaths(text: string, file: string): string | undefined {
  if (!NAMES.test(text)) return undefined;
  const call = `__place(${JSON.stringify(file)})`;
  const moved = text
    // A hashbang is only valid at the start of a file.
    .replace(/^#!/, '//#!')
    .replace(
      REQUIRED_BY_PATH,
      (_, word, _quote, added, filled, _other, joined) => `${word}("./${added ?? filled ?? joined}")`,
    )
    .replace(
      RESOLVED,
      (_, _quote, path: string) => `__place(${JSON.stringify(posix.join(posix.dirname(file), path))}).filename`,
    )
    .replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, member) => `${call}.${member}`);
  const missing = ['dirname', 'filename'].filter(
    (name) => new RegExp(`\\b__${name}\\b`).test(moved) && !declares(moved, `__${name}`),
  );
  if (missing.length === 0) return moved;
  return `var ${missing.map((name) => `__${name} = ${call}.${name}`).join(', ')}; ${moved}`;
}

/** Whether the code requires other code by a path that is computed at run time. */
export const requiresByPath = (text: string): boolean => COMPUTED_REQUIRE.test(text);

/** The package folder of a file: `node_modules/@scope/name`. */
export function packageOf(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

/** Data files of packages, by package; each value is base64 of gzipped JSON: file → base64. */
export type PackageFiles = Record<string, string>;

/** Collects the data files of packages, once per package. */
export function packageFiles(root: string) {
  /** Folder → whether to include code files. */
  const folders = new Map<string, boolean>();

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
    add: (file: string, hasCode: boolean): void => {
      const folder = packageOf(file);
      if (folder) folders.set(folder, hasCode || folders.get(folder) === true);
    },
    async all(): Promise<PackageFiles> {
      const found: PackageFiles = {};
      for (const [folder, hasCode] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const files = await collect(folder, hasCode);
        if (files) found[folder] = files;
      }
      return found;
    },
  };
}
