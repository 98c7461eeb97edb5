import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Stage } from '../infra/stage.ts';
import { AssembledText, type Assembly, readAssembly, storeAssembly } from './stored-assembly.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Inputs of the bundles and the template; npm's lock files stand for the installed packages. */
const SOURCES = ['functions', 'shared', 'infra'];
const RECORDS = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'];

/**
 * Bundles and synthesises the stack of this checkout below `directory`, or reuses the assembly there when sources and stage are unchanged.
 * Only the process that owns the directory may call it. Rejects when `stopped` aborts.
 */
export async function assemblyOf(stage: Stage, directory: string, stopped?: AbortSignal): Promise<Assembly> {
  const stored = await readAssembly(directory);
  const keyed = assemblyKeyOf(stage);
  if (stored && stored.key === (await keyed)) return stored.assembly;
  await rm(directory, { recursive: true, force: true });
  const [assembly, key] = await Promise.all([assemble(stage, directory, stopped), keyed]);
  await storeAssembly(directory, key, assembly);
  return assembly;
}

/** Runs `assemble.ts` in a process of its own, which ends at the latest with this one. */
async function assemble(stage: Stage, directory: string, stopped?: AbortSignal): Promise<Assembly> {
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
  return AssembledText.parse(output);
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
