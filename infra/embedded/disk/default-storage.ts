import { statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const PART_OF_FILE_SYSTEM = 0.1;
const LEAST_BYTES = 2_000_000_000;

/**
 * Bytes that are stored for each user where nothing is set: a tenth of the file system of the data directory, or of the
 * directory that it will be made in. At least 2 GB. Undefined where the system does not say.
 */
export function defaultStorageOf(dataDir: string): number | undefined {
  const directory = resolve(dataDir);
  try {
    const { blocks, bsize } = statfsSync(directory);
    return Math.max(Math.floor(blocks * bsize * PART_OF_FILE_SYSTEM), LEAST_BYTES);
  } catch {
    return directory === dirname(directory) ? undefined : defaultStorageOf(dirname(directory));
  }
}
