import { gzipSync } from 'node:zlib';
import { FREE_REQUIRE } from './computed-requires.ts';
import { excerptCode } from './excerpts.ts';
import { sha256 } from './hash.ts';
import type { PackageFiles } from './packages/package-paths.ts';
import type { Positions } from './positions.ts';

/**
 * Larger code is stored gzipped. Packages with clients for hundreds of services shrink to a twentieth, and a child process holds their
 * text once instead of three times.
 */
const PACKED_FROM = 256 * 1024;

/** File name of the compiled code in stack traces, replaced by the component's own positions. */
const BODY = '/component/bundle.js';

/** Everything of a bundle besides its code. */
interface Parts {
  positions: Positions;
  /** Texts of `positions.files`. */
  texts: readonly string[];
  /** Data files of packages. */
  files: PackageFiles;
}

interface PreludeOptions {
  /** Statement that defines `require`. */
  require: string;
  /** Expression for the file name in the component's stack frames, and the number of lines before the component's first line. */
  where: string;
  offset: number;
}

/**
 * Throws like Node does for a missing add-on, and records its name for the load error. Also wraps `require`, for paths computed at run
 * time.
 */
const ADD_ONS = `let __addOnAsked;
const __addOn = (name) => {
  if (!__addOnAsked || __addOnAsked.endsWith('.node')) __addOnAsked = name;
  const error = new Error('the package "' + name + '" needs a native add-on, which components cannot use');
  return Object.assign(error, { code: 'MODULE_NOT_FOUND', nativeAddOn: name });
};
const __requireFrom = (original) => Object.assign((id) => {
  if (/^(?:node:)?module$/.test(id)) return __moduleFrom(original(id));
  if (typeof id !== 'string' || !id.endsWith('.node')) return original(id);
  throw __addOn(/^(?:@[^/]+[/])?[^./@][^/]*(?=[/])/.exec(id)?.[0] ?? id.split('/').at(-1));
}, original);
const __moduleFrom = (builtin) => new Proxy(builtin, {
  get: (target, name) => name === 'createRequire' ? (from) => __requireFrom(target.createRequire(from)) : target[name],
});
const __addOnRefused = (error) => {
  if (!__addOnAsked || error?.nativeAddOn) return error;
  const why = String(error?.message ?? error).split('\\n', 1)[0];
  const message = 'the package "' + __addOnAsked + '" needs a native add-on, which components cannot use: ' + why;
  return Object.assign(new Error(message, { cause: error }), { nativeAddOn: __addOnAsked });
};`;

/**
 * The code before a component's code. Defines `__place`, which writes the data files of a package below the temporary directory on first
 * use, and maps stack traces to the component's own files and lines.
 */
function prelude({ positions, texts, files }: Parts, { require, where, offset }: PreludeOptions): string {
  const { files: names, lines } = positions;
  const text = JSON.stringify(files);
  return [
    `import { createRequire as __bundleRequire } from 'node:module';`,
    `import { compileFunction as __bundleCompile } from 'node:vm';`,
    require,
    ADD_ONS,
    `const __bundleFiles = ${text};`,
    `const __place = (() => {
  const { join, dirname } = require('node:path');
  const { pathToFileURL } = require('node:url');
  const written = new Set();
  const root = join(require('node:os').tmpdir(), 'component-${sha256(text).slice(0, 16)}');
  const write = (folder, own) => {
    if (!__bundleFiles[folder]) return;
    try {
      const fs = require('node:fs');
      fs.mkdirSync(own, { recursive: true });
      if (written.has(folder)) return;
      written.add(folder);
      const all = JSON.parse(require('node:zlib').gunzipSync(Buffer.from(__bundleFiles[folder], 'base64')));
      for (const [file, content] of Object.entries(all)) {
        const path = join(root, folder, file);
        fs.mkdirSync(dirname(path), { recursive: true });
        fs.writeFileSync(path, content, 'base64');
      }
    } catch {}
  };
  return (file) => {
    const folder = /^(?:.*\\/)?node_modules\\/(?:@[^/]+\\/)?[^/]+/.exec(file)?.[0];
    const filename = join(root, file);
    if (folder) write(folder, dirname(filename));
    return { filename, dirname: dirname(filename), url: pathToFileURL(filename).href };
  };
})();`,
    excerptCode(positions, texts),
    `{
  const { files, lines } = ${JSON.stringify({ files: names, lines })};
  const where = ${where};
  const find = (line) => {
    let low = 0, high = lines.length / 3;
    while (low < high) { const middle = (low + high) >> 1; if (lines[middle * 3] <= line) low = middle + 1; else high = middle; }
    const at = (low - 1) * 3;
    return low > 0 && lines[at] === line ? files[lines[at + 1]] + ':' + lines[at + 2] : undefined;
  };
  const shown = (frame, line) => {
    const text = String(frame);
    const position = line === undefined ? undefined : find(line);
    return position ? text.replace(where + ':' + frame.getLineNumber() + ':' + frame.getColumnNumber(), position) : text;
  };
  const lineOf = (frame) => String(frame).includes(where) ? frame.getLineNumber() - ${offset} : undefined;
  Error.prepareStackTrace = (error, frames) => {
    let head;
    try { head = String(error); } catch { head = 'Error'; }
    const lines = frames.map(lineOf);
    const inner = lines.findIndex((line) => line !== undefined && find(line));
    if (inner >= 0) __seen(error, lines[inner], frames[inner].getColumnNumber() - 1);
    return [head, ...frames.map((frame, n) => '    at ' + shown(frame, lines[n]))].join('\\n');
  };
}`,
  ].join('\n');
}

/**
 * CommonJS packages and components may need sloppy mode, mostly for assignments to undeclared names. ECMAScript modules are always strict,
 * so the code is compiled as a function inside the module.
 */
export function wrapScript(script: string, parts: Parts): string {
  return [
    prelude(parts, {
      require: `const require = __bundleRequire(import.meta.url);`,
      where: JSON.stringify(BODY),
      offset: 0,
    }),
    `const __bundleModule = { exports: {} };`,
    `const __bundleBody = __bundleCompile(${textOf(script)}, ['exports', 'require', '${FREE_REQUIRE}', 'module', '__place', '__addOn'], { filename: ${JSON.stringify(BODY)} });`,
    `const __bundleFree = __requireFrom(require);`,
    `try { __bundleBody(__bundleModule.exports, __bundleFree, __bundleFree, __bundleModule, __place, __addOn); } catch (error) { throw __addOnRefused(error); }`,
    `export default __bundleModule.exports.default;`,
    '',
  ].join('\n');
}

/** An expression whose value is the script's text. */
function textOf(script: string): string {
  if (script.length < PACKED_FROM) return JSON.stringify(script);
  const packed = gzipSync(script, { level: 3 }).toString('base64');
  return `require('node:zlib').gunzipSync(Buffer.from('${packed}', 'base64')).toString()`;
}

/** Code with top-level await stays a module. `require` is a global, because the code may declare the name itself. */
export function wrapModule(code: string, parts: Parts): string {
  const options = {
    require: `globalThis.require = globalThis.${FREE_REQUIRE} = __bundleRequire(import.meta.url);`,
    where: 'import.meta.url',
  };
  const preludeFor = (offset: number) => prelude(parts, { ...options, offset });
  return `${preludeFor(preludeFor(0).split('\n').length)}\n${code}`;
}
