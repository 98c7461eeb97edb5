import { normalPath, type SentFiles } from '../../../shared/domain/component/sent-files.ts';
import { componentFiles } from './component-files.ts';
import type { SourceFiles } from '../component-plugin.ts';
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

/** The files of a component that were all sent with it. Relative imports find these files, and nothing else. */
export async function sentSources({ code, path, files = [] }: SentCode): Promise<SourceFiles> {
  const entry = path === undefined ? await entryName(code) : (normalPath(path) ?? path);
  const texts = new Map([
    ...files.map(([name, text]) => [normalPath(name), text] as const),
    [entry, code] as const,
  ]);
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
  return { ...sources, nameOf: (id) => pathAt(id.replace(/#.*$/, '')) ?? id, entryPath: path };
}
