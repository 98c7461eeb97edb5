import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keepUsed } from '../../bin/keep-used.ts';
import { sourceKey } from '../../bin/source-key.mjs';
import { madeOnce } from '../../infra/packages/made-once.ts';
import { cacheFolder } from './cache-folder.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** Installs the package of this checkout in a new directory of the folder. Returns the directory. */
export async function installPackage(folder: string): Promise<string> {
  const home = join(folder, 'home');
  mkdirSync(home);
  // npm would take a parent directory with a package.json or node_modules for the project.
  // npx passes this setting of the checkout on.
  const options = ['--no-audit', '--no-fund', '--strict-allow-scripts=false'];
  await run('npm', ['install', '--prefix', home, ...options, await packedCheckout()], { cwd: home });
  return home;
}

/** The archive of the package, packed once for each state of the sources. */
async function packedCheckout(): Promise<string> {
  const key = sourceKey(['bin', 'docs', 'functions', 'infra', 'shared']);
  const folder = await madeOnce(join(cacheFolder('packed'), key), async (unfinished) => {
    // As the README has it: only the environment of npm's own script is not passed on.
    const argv = ['run', '--silent', 'pack', '--', '--silent', '--pack-destination', unfinished];
    await alone(`${cacheFolder('packed')}.lock`, () => run('npm', argv, { cwd: CHECKOUT }));
  });
  await keepUsed(folder);
  const [archive = ''] = readdirSync(folder);
  return join(folder, archive);
}

/** npm builds `dist/` of the checkout for a package: two processes that did it at once would mix their files. */
async function alone(lock: string, work: () => Promise<unknown>): Promise<void> {
  await until('no other process builds dist/', () => isTaken(lock), { withinMs: 300_000 });
  try {
    await work();
  } finally {
    rmSync(lock);
  }
}

/** Takes the lock. That of a process that has ended is removed. */
function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(readFileSync(lock, 'utf8'));
    if (!isRunning(holder)) rmSync(lock, { force: true });
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
