import type { Loader } from 'esbuild';
import { transform } from 'esbuild';
import { displayName } from './github.ts';
import { type ComponentFiles, KNOWN } from './component-files.ts';
import type { SourceFile, SourceFiles } from './component-plugin.ts';
import { BuildFailure } from './failure.ts';
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

/** An address may hide what the file is (`…/get?file=1`, a redirect to a storage): then the text decides. */
async function sourceFile({ address, asked, text }: FetchedFile): Promise<SourceFile> {
  const ending = KNOWN.exec(new URL(address).pathname)?.[0] ?? KNOWN.exec(new URL(asked).pathname)?.[0];
  const loader = LOADERS[ending ?? ''] ?? (await guess(text)).loader;
  // The compiler reads module rules off the end of a name.
  return { id: ending && !address.endsWith(ending) ? `${address}#${ending}` : address, text, loader };
}

/** Code without a file name: JavaScript if it parses as such, else TypeScript. */
async function guess(text: string): Promise<{ loader: Loader; ending: string }> {
  const parses = async (loader: Loader) =>
    transform(text, { loader, logLevel: 'silent' }).then(
      () => true,
      () => false,
    );
  if (!(await parses('js')) && (await parses('ts'))) return { loader: 'ts', ending: '.ts' };
  return { loader: 'js', ending: /^\s*(?:import|export)\b/m.test(text) ? '.mjs' : '.js' };
}

/** A component that lies at an address, with whatever it imports from there. */
export async function sourcesAt(url: string, files: ComponentFiles): Promise<SourceFiles> {
  const known = new Map<string, SourceFile>();

  async function keep(fetched: FetchedFile): Promise<SourceFile> {
    const file = await sourceFile(fetched);
    known.set(file.id, file);
    return file;
  }

  return {
    entry: await keep(await files.entry(url)),
    relative: async (specifier, importer) => keep(await files.relative(specifier, importer)),
    all: () => [...known.values()],
    get: (id) => known.get(id),
    nameOf: displayName,
  };
}

/** A component that is one text: it has no place, so nothing lies beside it. */
export async function sourcesOf(code: string): Promise<SourceFiles> {
  const { loader, ending } = await guess(code);
  const entry: SourceFile = { id: `component${ending}`, text: code, loader };
  return {
    entry,
    relative: (specifier) =>
      Promise.reject(
        new BuildFailure(
          `"${specifier}" is a relative import, and code that is sent as text has nothing beside it; deploy it by component_url`,
        ),
      ),
    all: () => [entry],
    get: (id) => (id === entry.id ? entry : undefined),
    nameOf: (id) => id,
  };
}
