import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of all files in a folder and below. Files that LevelDB deletes meanwhile count nothing. */
export async function bytesOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const path of await filesIn(folder)) bytes += (await stat(path).catch(() => ({ size: 0 }))).size;
  return bytes;
}

/** Makes the files of a folder durable. */
export async function flushFiles(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) await flush(path);
}

/** Makes a file durable, or the names in a folder. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
