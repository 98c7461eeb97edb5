import { fetchableAddress } from './github.ts';
import { BuildFailure } from '../failure.ts';
import type { FetchedFile, FetchFile } from './fetch-file.ts';

const MAX_FILES = 50;

/** Known file endings; any other dot is part of the name (`../../rss.app`). */
export const KNOWN = /\.(?:mjs|cjs|js|mts|cts|ts|json)$/;

/** Source endings for the ending in an import, tried when the file itself does not exist. */
const SOURCE_ENDINGS: Record<string, readonly string[]> = {
  '.mjs': ['.mts', '.ts'],
  '.cjs': ['.cts', '.ts'],
  '.js': ['.ts', '.mjs'],
};

const CODE = ['.mjs', '.ts', '.js', '.cjs'];

/** URLs that a relative import may refer to, most likely first. */
function candidates(specifier: string, importer: string): string[] {
  const { origin, pathname } = new URL(specifier, importer);
  const base = origin + pathname;
  const ending = KNOWN.exec(pathname)?.[0];
  if (ending) return [base, ...(SOURCE_ENDINGS[ending] ?? []).map((other) => base.slice(0, -ending.length) + other)];
  const own = KNOWN.exec(new URL(importer).pathname)?.[0] ?? '.js';
  const endings = [...new Set([own, ...CODE, '.json'])];
  const folder = base.replace(/\/$/, '');
  const inside = endings.map((other) => `${folder}/index${other}`);
  return folder === base ? [...endings.map((other) => base + other), ...inside, base] : inside;
}

/** The files of one component, each fetched once. */
export function componentFiles(fetchFile: FetchFile) {
  const requests = new Map<string, ReturnType<FetchFile>>();
  const files = new Map<string, FetchedFile>();

  async function get(address: string): ReturnType<FetchFile> {
    const running = requests.get(address) ?? fetchFile(address);
    requests.set(address, running);
    const fetched = await running;
    if ('file' in fetched) {
      files.set(fetched.file.address, fetched.file);
      if (files.size > MAX_FILES) throw new BuildFailure(`the component has more than ${MAX_FILES} files`);
    }
    return fetched;
  }

  /** Fetches the first URL alone, because most imports name the file exactly, then the others concurrently. */
  async function first(addresses: readonly string[]): Promise<{ file: FetchedFile } | { absent: string }> {
    const [likeliest = '', ...others] = addresses;
    const response = await get(likeliest);
    if ('file' in response && !response.file.isPage) return response;
    const rest = await Promise.all(others.map(get));
    const found = rest.find((result) => 'file' in result && !result.file.isPage);
    if (found) return found;
    return { absent: 'absent' in response ? response.absent : `${likeliest} answers with a web page` };
  }

  async function entry(url: string): Promise<FetchedFile> {
    if (!URL.canParse(url)) throw new BuildFailure(`component_url ${url} is not a valid URL`);
    const address = fetchableAddress(url);
    const found = await first([address]);
    if ('file' in found) return found.file;
    throw new BuildFailure(`component_url ${found.absent}`);
  }

  /** The error names the first URL, which is the one in the import. */
  async function relative(specifier: string, importer: string): Promise<FetchedFile> {
    const addresses = candidates(specifier, importer);
    const found = await first(addresses);
    if ('file' in found) return found.file;
    const others = addresses.length > 1 ? `, nor any of ${addresses.length - 1} other file names` : '';
    throw new BuildFailure(`"${specifier}" was not found: ${found.absent}${others}`);
  }

  return { entry, relative, get: (address: string) => files.get(address) };
}
export type ComponentFiles = ReturnType<typeof componentFiles>;
