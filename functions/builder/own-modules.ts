import { build } from 'esbuild';
import type { BuildSettings } from './builder-settings.ts';
import { ownModule } from './specifier.ts';

/** `const { axios, … } = require('@pipedream/platform')` and `require('@pipedream/platform').axios`. */
const TAKEN =
  /(?:\{([^{}]*)\}\s*=\s*)?\brequire\(\s*(['"])(@pipedream[^'"]*)\2\s*\)(?:\s*\.\s*([A-Za-z_$][\w$]*))?/g;

interface Taken {
  specifier: string;
  module: 'platform' | 'types';
  name: string;
  line: number;
}

/** What a CommonJS file takes out of our modules; the compiler checks names of `import` only. */
function takenNames(text: string): Taken[] {
  return [...text.matchAll(TAKEN)].flatMap(({ index, 1: pattern = '', 3: specifier = '', 4: member }) => {
    const module = ownModule(specifier);
    if (!module) return [];
    const destructured = pattern
      .split(',')
      .map((one) => one.replace(/[:=].*$/s, '').trim())
      .filter((one) => /^[A-Za-z_$][\w$]*$/.test(one));
    const line = text.slice(0, index).split('\n').length;
    return [...destructured, ...(member ? [member] : [])].map((name) => ({ specifier, module, name, line }));
  });
}

/** Our modules as components see them, and what they export. */
export function ownModules(paths: BuildSettings['platform']) {
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
    const known = exports.get(path) ?? read(path);
    exports.set(path, known);
    return known;
  }

  return {
    path: (module: 'platform' | 'types'): string => paths[module],
    /** How messages call a file of ours. */
    nameOf: (path: string): string | undefined =>
      path === paths.platform ? '@pipedream/platform' : path === paths.types ? '@pipedream/types' : undefined,
    /** A sentence for each name that a CommonJS file takes and ours lacks. */
    async lacking(text: string): Promise<{ text: string; line: number }[]> {
      const taken = takenNames(text);
      const checked = taken.map(async ({ specifier, module, name, line }) => {
        const has = (await exportsOf(paths[module])).includes(name);
        return has ? [] : [{ text: `${specifier} has no export "${name}"`, line }];
      });
      return (await Promise.all(checked)).flat();
    },
  };
}
export type OwnModules = ReturnType<typeof ownModules>;
