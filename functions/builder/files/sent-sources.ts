import { placeOf, type SentFiles } from '../../../shared/domain/component/sent-files.ts';
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

const addressOf = (place: string): string => FOLDER + place.split('/').map(encodeURIComponent).join('/');

/** Path of a file below the component's folder; undefined for an address outside of it. */
function placeAt(address: string): string | undefined {
  return address.startsWith(FOLDER) ? decodeURIComponent(address.slice(FOLDER.length)) : undefined;
}

/** The files of a component that were all sent with it. Relative imports find these files, and nothing else. */
export async function sentSources({ code, path, files = [] }: SentCode): Promise<SourceFiles> {
  const entry = path === undefined ? await entryName(code) : (placeOf(path) ?? path);
  const texts = new Map([
    ...files.map(([name, text]) => [placeOf(name), text] as const),
    [entry, code] as const,
  ]);
  const findFile: FetchFile = (address) => {
    const place = placeAt(address);
    const text = texts.get(place);
    return Promise.resolve(
      place === undefined || text === undefined
        ? { absent: `component_files has no ${place ?? 'files outside of the folder of the component'}` }
        : { file: { address: addressOf(place), requested: address, text, isPage: false } },
    );
  };
  const sources = await sourcesAt(addressOf(entry), componentFiles(findFile));
  return { ...sources, nameOf: (id) => placeAt(id.replace(/#.*$/, '')) ?? id, entryPath: path };
}
