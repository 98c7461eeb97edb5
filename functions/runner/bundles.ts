import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Size of the cache; a Lambda function has 512 MB of disk by default. */
const LARGEST_CACHE_BYTES = 128 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 20_000;

/** Bundles by hash, fetched once and cached on disk, where children cannot read. */
export class Bundles {
  readonly #directory: string;
  /** Sizes in bytes, the least recently used bundle first. */
  readonly #kept = new Map<string, number>();
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Copies the bundle to `path`: a child may change its copy. */
  async copyTo(path: string, { hash, url }: { hash: string; url: string }): Promise<void> {
    if (!this.#kept.has(hash)) {
      const fetching = this.#fetching.get(hash) ?? this.#fetch(hash, url);
      this.#fetching.set(hash, fetching);
      await fetching.finally(() => this.#fetching.delete(hash));
    }
    this.#touch(hash, this.#kept.get(hash) ?? 0);
    await copyFile(this.#path(hash), path);
    // The child may have another operating-system user.
    await chmod(path, 0o644);
  }

  async #fetch(hash: string, url: string): Promise<void> {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`The bundle ${hash} cannot be fetched: HTTP status ${response.status}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    const path = this.#path(hash);
    await mkdir(this.#directory, { recursive: true });
    // The rename makes the file appear complete.
    await writeFile(`${path}.part`, bytes);
    await rename(`${path}.part`, path);
    this.#touch(hash, bytes.length);
    await this.#trim();
  }

  #touch(hash: string, bytes: number): void {
    this.#kept.delete(hash);
    this.#kept.set(hash, bytes);
  }

  async #trim(): Promise<void> {
    let total = [...this.#kept.values()].reduce((sum, bytes) => sum + bytes, 0);
    const [...oldest] = this.#kept;
    for (const [hash, bytes] of oldest.slice(0, -1)) {
      if (total <= LARGEST_CACHE_BYTES) return;
      total -= bytes;
      this.#kept.delete(hash);
      await rm(this.#path(hash), { force: true });
    }
  }

  #path(hash: string): string {
    return join(this.#directory, `${createHash('sha256').update(hash).digest('hex')}.mjs`);
  }
}
