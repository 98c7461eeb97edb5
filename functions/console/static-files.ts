import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The page of the app, which every address below `/console` gets. */
export const PAGE = 'index.html';

/** Encodings that the bundle has files of, by the suffix of the file, the best one first. */
const ENCODINGS = { '.br': 'br', '.gz': 'gzip' } as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface StaticFile {
  contentType: string;
  /** Base64 of the content as it is, and by encoding. */
  content: string;
  encoded: ReadonlyMap<string, string>;
}

/** Reads the files of the app once, at cold start. `infra/console-app.ts` writes them. */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const names = readdirSync(folder);
  const contentOf = (name: string) => readFileSync(join(folder, name), 'base64');
  const own = names.filter((name) => !Object.keys(ENCODINGS).includes(extname(name)));
  return new Map(
    own.map((name) => {
      const encoded = Object.entries(ENCODINGS)
        .filter(([suffix]) => names.includes(name + suffix))
        .map(([suffix, encoding]): [string, string] => [encoding, contentOf(name + suffix)]);
      const contentType = TYPES[extname(name)] ?? 'application/octet-stream';
      return [name, { contentType, content: contentOf(name), encoded: new Map(encoded) }];
    }),
  );
}

/** The content in the best encoding that an `Accept-Encoding` allows. */
export function encodedFor(
  { content, encoded }: StaticFile,
  acceptEncoding: string,
): { content: string; encoding?: string } {
  const accepted = acceptedEncodings(acceptEncoding);
  for (const [encoding, text] of encoded) if (accepted.has(encoding)) return { content: text, encoding };
  return { content };
}

/** The names in `gzip, br;q=0.5, zstd;q=0` that have no `q=0`. */
const acceptedEncodings = (header: string): ReadonlySet<string> =>
  new Set(
    header
      .toLowerCase()
      .split(',')
      .map((entry) => entry.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || !/^q=0(?:\.0*)?$/.test(weight))
      .map(([name = '']) => name),
  );
