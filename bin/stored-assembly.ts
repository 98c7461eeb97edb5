import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import * as z from 'zod';
import type { Programs } from '../infra/embedded/programs.ts';
import type { Stage } from '../infra/stage.ts';

export interface Assembly extends Programs {
  template: Record<string, unknown>;
  /** Folder of each code asset, by its object key. */
  assets: ReadonlyMap<string, string>;
}

/** Gives the assembly of a stage. It keeps what it makes below a directory that only this process uses. */
export type AssemblyOf = (stage: Stage, directory: string) => Promise<Assembly>;

/** The stored assembly. Its paths are relative to its directory, so that the directory can be moved. */
const Stored = z.object({
  key: z.string(),
  template: z.record(z.string(), z.unknown()),
  assets: z.array(z.tuple([z.string(), z.string()])).transform((entries) => new Map(entries)),
  thread: z.string(),
  spawner: z.string(),
});

const recordOf = (directory: string) => join(directory, 'made.json');

/** The assembly that a directory holds, with the key it was stored under. */
export async function readAssembly(directory: string): Promise<{ key: string; assembly: Assembly } | undefined> {
  try {
    const { key, ...stored } = Stored.parse(JSON.parse(await readFile(recordOf(directory), 'utf8')));
    return { key, assembly: withPaths(stored, (path) => resolve(directory, path)) };
  } catch {
    return undefined;
  }
}

/** Stores the record of an assembly whose files are in the directory. */
export async function storeAssembly(directory: string, key: string, assembly: Assembly): Promise<void> {
  const { assets, ...rest } = withPaths(assembly, (path) => relative(directory, path));
  const record = recordOf(directory);
  // Written last and atomically, so that the incomplete assembly of a killed process is not reused.
  await writeFile(`${record}.new`, JSON.stringify({ key, ...rest, assets: [...assets] }));
  await rename(`${record}.new`, record);
}

/** The assembly with other paths. */
export const withPaths = (
  { template, assets, thread, spawner }: Assembly,
  pathOf: (path: string) => string,
): Assembly => ({
  template,
  assets: new Map([...assets].map(([key, folder]) => [key, pathOf(folder)])),
  thread: pathOf(thread),
  spawner: pathOf(spawner),
});
