import type { Loader } from 'esbuild';
import { transform } from 'esbuild';
import { displayName } from './github.ts';
import { type ComponentFiles, KNOWN } from './component-files.ts';
import type { SourceFile, SourceFiles } from '../component-plugin.ts';
import { BuildFailure } from '../failure.ts';
import type { FetchedFile } from './fetch-file.ts';

const LOADERS: Record<string, Loader> = {
  '.mjs': 'js',
  '.cjs': 'js',
  '.js': 'js',
  '.mts': 'ts',
  '.cts': 'ts',
  '.ts': 'ts',
  '.json': 'json',
};

/** Determines the file type by the URL's ending, or by the text when the URL has none (`…/get?file=1`). */
async function sourceFile({ address, requested, text }: FetchedFile): Promise<SourceFile> {
  const ending = KNOWN.exec(new URL(address).pathname)?.[0] ?? KNOWN.exec(new URL(requested).pathname)?.[0];
  const loader = LOADERS[ending ?? ''] ?? (await guess(text)).loader;
  // The compiler decides by the ending whether a file is a module.
  return { id: ending && !address.endsWith(ending) ? `${address}#${ending}` : address, text, loader };
}

/** The type of code without a file name: JavaScript if it parses as such, else TypeScript. */
async function guess(text: string): Promise<{ loader: Loader; ending: string }> {
  const parses = async (loader: Loader) =>
    transform(text, { loader, logLevel: 'silent' }).then(
      () => true,
      () => false,
    );
  if (!(await parses('js')) && (await parses('ts'))) return { loader: 'ts', ending: '.ts' };
  return { loader: 'js', ending: /^\s*(?:import|export)\b/m.test(text) ? '.mjs' : '.js' };
}

/** Name of the only or first file of code sent as text. */
export const entryName = async (code: string): Promise<string> => `component${(await guess(code)).ending}`;

/** The files of a component at a URL. */
export async function sourcesAt(url: string, files: ComponentFiles): Promise<SourceFiles> {
  const loaded = new Map<string, SourceFile>();

  async function add(fetched: FetchedFile): Promise<SourceFile> {
    const file = await sourceFile(fetched);
    loaded.set(file.id, file);
    return file;
  }

  return {
    entry: await add(await files.entry(url)),
    relative: async (specifier, importer) => add(await files.relative(specifier, importer)),
    all: () => [...loaded.values()],
    get: (id) => loaded.get(id),
    nameOf: displayName,
  };
}

/** The only file of a component sent as text, which has no other files to import. */
export async function sourcesOf(code: string): Promise<SourceFiles> {
  const { loader } = await guess(code);
  const entry: SourceFile = { id: await entryName(code), text: code, loader };
  return {
    entry,
    relative: (specifier) =>
      Promise.reject(
        new BuildFailure(
          `"${specifier}" is a relative import, and code sent as text has no other files; send them as component_files, or deploy it by component_url`,
        ),
      ),
    all: () => [entry],
    get: (id) => (id === entry.id ? entry : undefined),
    nameOf: (id) => id,
  };
}
