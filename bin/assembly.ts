import { spawn } from 'node:child_process';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Programs } from '../infra/embedded/programs.ts';
import type { Stage } from '../infra/stage.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Inputs of the bundles and the template; npm's lock files stand for the installed packages. */
const SOURCES = ['functions', 'shared', 'infra'];
const RECORDS = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'];

const Assembled = z.object({
  template: z.record(z.string(), z.unknown()),
  assets: z.array(z.tuple([z.string(), z.string()])),
  thread: z.string(),
  spawner: z.string(),
});
/** The stored assembly. Its paths are relative to its directory, so that the directory can be moved. */
const StoredAssembly = Assembled.extend({ key: z.string() });

export interface Assembly extends Programs {
  template: Record<string, unknown>;
  /** Folder of each code asset, by its object key. */
  assets: ReadonlyMap<string, string>;
}

/**
 * Bundles and synthesises the stack of this checkout below `directory`, or reuses the assembly there when sources and stage are unchanged.
 * Only the process that owns the directory may call it. Rejects when `stopped` aborts.
 */
export async function assemblyOf(stage: Stage, directory: string, stopped?: AbortSignal): Promise<Assembly> {
  const record = join(directory, 'made.json');
  const stored = await readStored(record);
  const keyed = assemblyKeyOf(stage);
  if (stored && stored.key === (await keyed))
    return assemblyOfRecord(stored, (path) => resolve(directory, path));
  await rm(directory, { recursive: true, force: true });
  const [assembled, key] = await Promise.all([assemble(stage, directory, stopped), keyed]);
  const { assets, ...rest } = assemblyOfRecord(assembled, (path) => relative(directory, path));
  // Written last and atomically, so that the incomplete assembly of a killed process is not reused.
  await writeFile(`${record}.new`, JSON.stringify({ key, ...rest, assets: [...assets] }));
  await rename(`${record}.new`, record);
  return assemblyOfRecord(assembled, (path) => path);
}

const assemblyOfRecord = (
  { template, assets, thread, spawner }: z.output<typeof Assembled>,
  pathOf: (path: string) => string,
): Assembly => ({
  template,
  assets: new Map(assets.map(([key, folder]) => [key, pathOf(folder)])),
  thread: pathOf(thread),
  spawner: pathOf(spawner),
});

/** Runs `assemble.ts` in a process of its own, which ends at the latest with this one. */
async function assemble(
  stage: Stage,
  directory: string,
  stopped?: AbortSignal,
): Promise<z.output<typeof Assembled>> {
  const program = join(root, 'bin', 'assemble.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', program, directory, JSON.stringify(stage)], {
    cwd: root,
    // CI validates templates; here validation would double the start time. The compiler is a short Go process that needs no garbage
    // collection below this memory limit.
    env: { ...process.env, CDK_VALIDATION: 'false', GOGC: 'off', GOMEMLIMIT: '512MiB' },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(stopped ? { signal: stopped } : {}),
  });
  // Stopped or not started: the output ends in both cases.
  child.on('error', () => undefined);
  const output = await text(child.stdout);
  if (output === '') throw new Error('The stack could not be synthesised.');
  return Assembled.parse(JSON.parse(output));
}

async function readStored(record: string): Promise<z.output<typeof StoredAssembly> | undefined> {
  try {
    return StoredAssembly.parse(JSON.parse(await readFile(record, 'utf8')));
  } catch {
    return undefined;
  }
}

/** A hash over names, sizes and modification times of all inputs, without reading their contents. */
export async function assemblyKeyOf(stage: Stage): Promise<string> {
  const folders = await Promise.all(
    SOURCES.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  const files = [...folders.flat(), ...RECORDS.map((record) => join(root, record))].sort();
  const hash = createHash('sha256').update(JSON.stringify([stage, root, process.version, process.arch]));
  const marks = await Promise.all(
    files.map(async (file) => {
      const { size, mtimeMs } = await stat(file);
      return `${file} ${size} ${mtimeMs}\n`;
    }),
  );
  return hash.update(marks.join('')).digest('hex');
}
