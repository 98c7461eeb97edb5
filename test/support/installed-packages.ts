import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache-folder.ts';
import { madeOnce } from './made-once.ts';

const run = promisify(execFile);

/** Copy of a folder with the packages that its `package-lock.json` pins, installed once. */
export async function withPackages(folder: string): Promise<string> {
  return madeOnce(join(cacheFolder('installed'), await hashOf(folder)), async (place) => {
    await cp(folder, place, { recursive: true });
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: place });
  });
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) hash.update(await readFile(join(folder, name)));
  return hash.digest('hex');
}
