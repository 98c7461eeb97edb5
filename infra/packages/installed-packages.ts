import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { madeOnce } from './made-once.ts';

const run = promisify(execFile);

/** Copy of a folder below `cache`, with the packages that its `package-lock.json` pins. They are installed once. */
export async function withPackages(folder: string, cache: string): Promise<string> {
  return madeOnce(join(cache, await hashOf(folder)), async (unfinished) => {
    await cp(folder, unfinished, { recursive: true });
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: unfinished });
  });
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) hash.update(await readFile(join(folder, name)));
  return hash.digest('hex');
}
