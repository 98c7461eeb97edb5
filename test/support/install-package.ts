import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** Packs the checkout, and installs the package in a new directory of the folder. Returns the directory. */
export async function installPackage(folder: string): Promise<string> {
  const [packed, home] = [join(folder, 'packed'), join(folder, 'home')];
  for (const each of [packed, home]) mkdirSync(each);
  // As the README has it: only the environment of npm's own script is not passed on.
  const { stdout } = await run(
    'npm',
    ['run', '--silent', 'pack', '--', '--silent', '--pack-destination', packed],
    { cwd: CHECKOUT },
  );
  const archive = join(packed, stdout.trim().split('\n').at(-1) ?? '');
  // npm would take a parent directory with a package.json or node_modules for the project.
  // npx passes this setting of the checkout on.
  const options = ['--no-audit', '--no-fund', '--strict-allow-scripts=false'];
  await run('npm', ['install', '--prefix', home, ...options, archive], { cwd: home });
  return home;
}
