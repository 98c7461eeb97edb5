import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ownModule } from './specifier.ts';

/** `const { axios, … } = require('@pipedream/platform')` and `require('@pipedream/platform').axios`. */
const IMPORTED_NAME =
  /(?:\{([^{}]*)\}\s*=\s*)?\brequire\(\s*(['"])(@pipedream[^'"]*)\2\s*\)(?:\s*\.\s*([A-Za-z_$][\w$]*))?/g;

/** Names that a CommonJS file imports from platform modules. The compiler checks only names of `import`. */
function importedNames(text: string) {
  return [...text.matchAll(IMPORTED_NAME)].flatMap(({ index, 1: pattern = '', 3: specifier = '', 4: member }) => {
    const module = ownModule(specifier);
    if (!module) return [];
    const destructured = pattern
      .split(',')
      .map((part) => part.replace(/[:=].*$/s, '').trim())
      .filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
    const line = text.slice(0, index).split('\n').length;
    return [...destructured, ...(member ? [member] : [])].map((name) => ({
      specifier,
      module,
      name,
      line,
    }));
  });
}

/** The platform modules that components may import, and their exports. */
export function ownModules(folder: string) {
  const paths = { platform: join(folder, 'platform.mjs'), types: join(folder, 'types.mjs') };
  const exports = new Map<string, Promise<readonly string[]>>();

  async function read(path: string): Promise<readonly string[]> {
    const { metafile } = await build({
      entryPoints: [path],
      outdir: 'unwritten',
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    return Object.values(metafile.outputs).flatMap((output) => output.exports);
  }

  function exportsOf(path: string): Promise<readonly string[]> {
    const names = exports.get(path) ?? read(path);
    exports.set(path, names);
    return names;
  }

  let prelude: Promise<string> | undefined;

  return {
    /** Code of `prelude/prelude.ts`, as a CommonJS module. */
    prelude: (): Promise<string> => (prelude ??= readFile(join(folder, 'prelude.js'), 'utf8')),
    path: (module: 'platform' | 'types'): string => paths[module],
    /** Name of a platform module in messages; undefined for other files. */
    nameOf: (path: string): string | undefined =>
      path === paths.platform ? '@pipedream/platform' : path === paths.types ? '@pipedream/types' : undefined,
    /** Messages for names that a CommonJS file imports and the platform module does not export. */
    async lacking(text: string): Promise<{ text: string; line: number }[]> {
      const checked = importedNames(text).map(async ({ specifier, module, name, line }) => {
        const has = (await exportsOf(paths[module])).includes(name);
        return has ? [] : [{ text: `${specifier} has no export "${name}"`, line }];
      });
      return (await Promise.all(checked)).flat();
    },
  };
}
export type OwnModules = ReturnType<typeof ownModules>;
