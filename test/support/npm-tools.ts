import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache-folder.ts';
import { registryCertificates } from './registry-certificates.ts';
import { madeOnce } from '../../infra/packages/made-once.ts';

const run = promisify(execFile);

/**
 * Folder with these packages and what they depend on, installed once from the registry that npm is configured with. For
 * programs that only a long test needs, so that `npm ci` does not install them.
 */
export const npmTools = (name: string, packages: Readonly<Record<string, string>>): Promise<string> =>
  madeOnce(cacheFolder(`tools-${name}`), async (folder) => {
    const manifest = { name: `tools-${name}`, private: true, type: 'module', dependencies: packages };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'], {
      cwd: folder,
      env: { ...process.env, ...registryCertificates() },
    });
  });
