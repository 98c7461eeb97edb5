import { gzipSync } from 'node:zlib';
import { FREE_REQUIRE } from './computed-requires.ts';
import { sha256 } from './hash.ts';
import type { PackageFiles } from './packages/package-paths.ts';
import type { Positions } from './positions.ts';
import type { Bundled, Script } from './prelude/prelude.ts';
import type { OwnCode } from './prelude/thrown-lines.ts';

/**
 * Larger code is stored gzipped. Packages with clients for hundreds of services shrink to a twentieth, and a child
 * process holds their text once instead of three times.
 */
const PACKED_FROM = 256 * 1024;

/**
 * Characters of the component's own files up to which a bundle carries them. Larger components show no code with their
 * errors.
 */
const MAX_CHARACTERS = 256 * 1024;
/** Numbers of `points`: a point for every second character. */
const MAX_POINTS = 5 * (MAX_CHARACTERS / 2);

/** Everything of a bundle besides its code. */
interface Parts {
  /** Code of `prelude/prelude.ts`, as a CommonJS module. */
  prelude: string;
  positions: Positions;
  /** Texts of `positions.files`. */
  texts: readonly string[];
  /** Data files of packages. */
  files: PackageFiles;
}

/** The exports of the prelude. The component may declare `require`. */
const preludeOf = ({ prelude }: Parts): string =>
  `((module, require) => {${prelude}\nreturn module.exports; })({ exports: {} }, __bundleRequire(import.meta.url))`;

const IMPORT = `import { createRequire as __bundleRequire } from 'node:module';`;

function dataOf({ positions, texts, files }: Parts): string {
  const { points, lines } = positions;
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  const isShown = size > 0 && size <= MAX_CHARACTERS && points.length <= MAX_POINTS;
  const data: Bundled = {
    files,
    hash: sha256(JSON.stringify(files)).slice(0, 16),
    lines: { files: positions.files, lines },
    ownCode: isShown ? packed(JSON.stringify({ points, texts } satisfies OwnCode)) : undefined,
  };
  return JSON.stringify(data);
}

const packed = (text: string): string => gzipSync(text, { level: 3 }).toString('base64');

const scriptOf = (text: string): Script => (text.length < PACKED_FROM ? { text } : { packed: packed(text) });

export function wrapScript(text: string, parts: Parts): string {
  return [
    IMPORT,
    `export default ${preludeOf(parts)}.runScript(${dataOf(parts)}, ${JSON.stringify(scriptOf(text))}, __bundleRequire(import.meta.url));`,
    '',
  ].join('\n');
}

/** Code with top-level await stays a module. `require` is a global, because the code may declare the name itself. */
export function wrapModule(code: string, parts: Parts): string {
  const start = [
    IMPORT,
    `globalThis.require = globalThis.${FREE_REQUIRE} = __bundleRequire(import.meta.url);`,
    `const { fileAt: __place, addOn: __addOn } = ${preludeOf(parts)}.startModule(${dataOf(parts)}, import.meta.url, `,
  ].join('\n');
  return `${start}${start.split('\n').length});\n${code}`;
}
