import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { etagOf, type StaticFile } from '../../shared/http/files/static-file.ts';

/** The page of the app, which every address below `/console` gets. */
export const PAGE = 'index.html';

/** Encodings that the bundle has files of, by the suffix of the file, the best one first. */
const ENCODINGS = { '.br': 'br', '.gz': 'gzip' } as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

/** Reads the files of a folder once. `infra/console-app.ts` writes them. */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const names = readdirSync(folder);
  const contentOf = (name: string) => readFileSync(join(folder, name), 'base64');
  const own = names.filter((name) => !Object.keys(ENCODINGS).includes(extname(name)));
  return new Map(
    own.map((name): [string, StaticFile] => {
      const encoded = Object.entries(ENCODINGS)
        .filter(([suffix]) => names.includes(name + suffix))
        .map(([suffix, encoding]): [string, string] => [encoding, contentOf(name + suffix)]);
      const contentType = TYPES[extname(name)] ?? 'application/octet-stream';
      const content = contentOf(name);
      return [name, { contentType, etag: etagOf(content), content, encoded: new Map(encoded) }];
    }),
  );
}
