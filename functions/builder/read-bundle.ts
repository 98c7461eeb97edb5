import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** A bundle has its packages in it, and packages have at most 300 MB. */
const LARGEST_BUNDLE = 300 * 1024 * 1024;

/**
 * Reads the file of a build process, which is as untrusted as its input: a link could lead to any file of this machine.
 */
export async function readBundle(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > LARGEST_BUNDLE) throw new Error('The build process left no bundle.');
    return await file.readFile();
  } finally {
    await file.close();
  }
}
