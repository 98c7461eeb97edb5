import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open, opendir, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Limits of a source's `/tmp` during a run. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_FILES = 10_000;
/** Each level of a tree needs a descriptor while it is counted. */
const MAX_DEPTH = 64;
/** A run may not take the last of the disk: below both, one that has written to `/tmp` is ended. */
const RESERVED_FRACTION = 0.05;
const RESERVED_BYTES = 200 * 1024 * 1024;

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const DESCRIPTORS = '/proc/self/fd';
const hasDescriptors = existsSync(DESCRIPTORS);

interface Use {
  files: number;
  bytes: number;
}

/**
 * Whether the files of a directory exceed a limit. Its processes may change it meanwhile, except the directory itself.
 */
export async function isDiskFull(directory: string): Promise<boolean> {
  const use: Use = { files: 0, bytes: 0 };
  if (await exceeds(directory, use, MAX_DEPTH)) return true;
  return use.bytes > 0 && (await isLow(directory));
}

/** Counts a folder, and no other one: a folder that became a link is not opened. */
async function exceeds(folder: string, use: Use, depth: number): Promise<boolean> {
  if (depth === 0) return true;
  const opened = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  if (!opened) return false;
  try {
    return await exceedsIn(pathOf(opened, folder), use, depth);
  } finally {
    await opened.close();
  }
}

/** The path of an open folder, which stays that of this folder where the system offers descriptors as files. */
const pathOf = ({ fd }: FileHandle, folder: string): string =>
  hasDescriptors ? join(DESCRIPTORS, String(fd)) : folder;

async function exceedsIn(folder: string, use: Use, depth: number): Promise<boolean> {
  // Read in pieces: listing a directory that keeps growing would not end.
  const entries = await opendir(folder, { bufferSize: 1024 }).catch(() => []);
  const folders: string[] = [];
  const files: string[] = [];
  for await (const entry of entries) {
    use.files += 1;
    if (use.files > MAX_FILES) return true;
    (entry.isDirectory() ? folders : files).push(join(folder, entry.name));
  }
  for (const path of files) {
    use.bytes += await bytesOnDisk(path);
    if (use.bytes > MAX_BYTES) return true;
  }
  for (const path of folders) if (await exceeds(path, use, depth - 1)) return true;
  return false;
}

async function isLow(directory: string): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return bavail * bsize < RESERVED_BYTES && bavail < RESERVED_FRACTION * blocks;
}

/** Counts blocks, because a sparse file needs less than its size. */
const bytesOnDisk = (path: string): Promise<number> =>
  lstat(path).then(
    ({ blocks }) => blocks * 512,
    () => 0,
  );
