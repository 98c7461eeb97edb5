import { rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'free-';
/** Each is empty, so that only its name takes space. */
const MAX_FREE = 256;

/**
 * Empty files whose bodies are gone, for new bodies. To make and delete a file for each body is slow on ext4: it does
 * not use an inode again for some minutes and looks at each of those before it finds another. A start deletes these
 * files.
 */
export class FreeFiles {
  readonly #directory: string;
  readonly #names: string[] = [];
  /** Files that are being emptied. */
  #coming = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Empties a file and keeps it, or deletes it when there are enough, or when a backup has the same file by a hard
   * link.
   */
  async add(file: string): Promise<void> {
    const path = join(this.#directory, file);
    if (this.#names.length + this.#coming >= MAX_FREE) {
      await rm(path, { force: true });
      return;
    }
    const name = `${PREFIX}${file}`;
    // After a crash no name of a body may lead to a file of another: the rename comes before everything that is written
    // later.
    this.#coming += 1;
    try {
      if ((await stat(path)).nlink > 1) {
        await rm(path, { force: true });
        return;
      }
      if (!(await this.#renamed(file, name))) return;
      await truncate(join(this.#directory, name));
      this.#names.push(name);
    } finally {
      this.#coming -= 1;
    }
  }

  /** Gives a free file the name; false when there is none. */
  async take(name: string): Promise<boolean> {
    const free = this.#names.pop();
    return free !== undefined && this.#renamed(free, name);
  }

  /** False when somebody else has deleted the file. */
  async #renamed(from: string, to: string): Promise<boolean> {
    try {
      await rename(join(this.#directory, from), join(this.#directory, to));
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    }
  }
}
