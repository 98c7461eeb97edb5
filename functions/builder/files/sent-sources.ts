import { posix } from 'node:path';
import { normalPath, type SentFiles } from '../../../shared/domain/component/sent-files.ts';
import { componentFiles } from './component-files.ts';
import type { SourceFile, SourceFiles } from '../component-plugin.ts';
import type { FetchFile } from './fetch-file.ts';
import { entryName, sourcesAt } from './source-files.ts';

/** Code with its other files. */
export interface SentCode {
  code: string;
  path?: string | undefined;
  files?: SentFiles | undefined;
}

/** Stands for the component's folder. Nothing is fetched: the name belongs to no host (RFC 2606). */
const FOLDER = 'https://component.invalid/files/';

const addressOf = (path: string): string => FOLDER + path.split('/').map(encodeURIComponent).join('/');

/** Path of a file below the component's folder; undefined for an address outside of it. */
function pathAt(address: string): string | undefined {
  return address.startsWith(FOLDER) ? decodeURIComponent(address.slice(FOLDER.length)) : undefined;
}

export interface SentSources {
  sources: SourceFiles;
  findFile: FetchFile;
}

/** The files of a component that were all sent with it. Relative imports find these files, and nothing else. */
export async function sentSources({ code, path, files = [] }: SentCode): Promise<SentSources> {
  const entry = path === undefined ? await entryName(code) : (normalPath(path) ?? path);
  const texts = new Map([...files.map(([name, text]) => [normalPath(name), text] as const), [entry, code] as const]);
  const findFile: FetchFile = (address) => {
    const path = pathAt(address);
    const text = texts.get(path);
    return Promise.resolve(
      path === undefined || text === undefined
        ? { absent: `component_files has no ${path ?? 'files outside of the folder of the component'}` }
        : { file: { address: addressOf(path), requested: address, text, isPage: false } },
    );
  };
  const sources = await sourcesAt(addressOf(entry), componentFiles(findFile));
  const manifests = [...texts]
    .filter(([name]) => isAbove(name, entry))
    .map(([name = '', text]): SourceFile => ({ id: addressOf(name), text, loader: 'json' }));
  return {
    sources: {
      ...sources,
      all: () => [...sources.all(), ...manifests.filter(({ id }) => sources.get(id) === undefined)],
      nameOf: (id) => pathAt(id.replace(/#.*$/, '')) ?? id,
      entryPath: path,
    },
    findFile,
  };
}

/**
 * Whether a path names a package.json in the entry's folder or above it. It decides versions, so it belongs to the
 * content.
 */
const isAbove = (name: string | undefined, entry: string): boolean =>
  name !== undefined && posix.basename(name) === 'package.json' && entry.startsWith(name.replace(/package\.json$/, ''));
