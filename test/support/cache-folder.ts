import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder for files that are expensive to make or to fetch; `npm ci` empties it. */
export const cacheFolder = (name: string): string =>
  fileURLToPath(new URL(`../../${join('node_modules', '.cache', 'tributary', name)}`, import.meta.url));
