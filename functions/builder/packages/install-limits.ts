import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { InstallRefused } from '../failure.ts';

interface InstallLimits {
  bytes: number;
  /** Number of files; the number of folders has the same limit. */
  files: number;
  /** Growth of this process's memory, which holds the registry's responses. */
  memoryBytes: number;
}

/** Limits of all installed packages of a component. */
const LIMITS: InstallLimits = { bytes: 300_000_000, files: 50_000, memoryBytes: 1_000_000_000 };

const CHECK_INTERVAL_MS = 100;
/** A check of many files must not slow the installation down. */
const SHARE_OF_CHECKS = 1 / 6;

interface Size {
  bytes: number;
  files: number;
}

const refusal = (excess: string) =>
  new InstallRefused(`the packages that this component imports ${excess}; import fewer or smaller ones`);

const exceeds = ({ bytes, files }: Size, limits: InstallLimits): boolean =>
  bytes > limits.bytes || files > limits.files;

/** Throws when a component may not have packages of that size. */
export function refuseExcess({ bytes, files }: Size, limits: InstallLimits = LIMITS): void {
  if (bytes > limits.bytes) throw refusal(`have more than ${limits.bytes / 1e6} MB when installed`);
  if (files > limits.files) throw refusal(`have more than ${limits.files.toLocaleString('en-US')} files`);
}

const Published = z.object({
  dist: z.object({ unpackedSize: z.number().catch(0), fileCount: z.number().catch(0) }),
});

/** The size of packages as their publishers state it, at least: optional packages are often for other platforms. */
export function publishedSize(packages: readonly { package: unknown; optional: boolean }[]): Size {
  const size = { bytes: 0, files: 0 };
  for (const { package: manifest, optional } of packages) {
    const { data } = Published.safeParse(manifest);
    if (!data || optional) continue;
    size.bytes += data.dist.unpackedSize;
    size.files += data.dist.fileCount;
  }
  return size;
}

/** The size of a directory in change; stops counting above the limits. */
async function sizeOf(directory: string, limits: InstallLimits): Promise<Size> {
  const size = { bytes: 0, files: 0 };
  const folders = [directory];
  for (const folder of folders) {
    if (exceeds(size, limits) || folders.length > limits.files) break;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(folder, entry.name));
    const files = entries.filter((entry) => entry.isFile());
    const sizes = files.map(({ name }) =>
      stat(join(folder, name)).then(
        (found) => found.size,
        () => 0,
      ),
    );
    size.files += files.length;
    for (const bytes of await Promise.all(sizes)) size.bytes += bytes;
  }
  return { bytes: size.bytes, files: Math.max(size.files, folders.length) };
}

/**
 * Installs into a directory. Rejects as soon as that exceeds the limits, while `install` still runs: npm cannot stop,
 * so the caller ends the process.
 */
export async function withinLimits<T>(
  directory: string,
  install: () => Promise<T>,
  limits: InstallLimits = LIMITS,
): Promise<T> {
  const memoryBefore = process.memoryUsage.rss();
  async function check(): Promise<void> {
    refuseExcess(await sizeOf(directory, limits), limits);
    if (process.memoryUsage.rss() - memoryBefore > limits.memoryBytes)
      throw refusal(`need more than ${limits.memoryBytes / 1e9} GB of memory to be installed`);
  }
  let isOver = false;
  async function watch(): Promise<void> {
    let pause = CHECK_INTERVAL_MS;
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
      const before = performance.now();
      if (!isOver) await check();
      pause = Math.max(CHECK_INTERVAL_MS, (performance.now() - before) / SHARE_OF_CHECKS);
    }
  }
  try {
    const installing = install();
    await Promise.race([installing, watch()]);
    await check();
    return await installing;
  } finally {
    isOver = true;
  }
}
