import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { arch, platform } from 'node:process';
import { promisify } from 'node:util';
import { madeOnce } from '../../../../infra/packages/made-once.ts';
import { cacheFolder } from '../../../support/cache-folder.ts';

const NODE_24 = '24.22.3';

/** A file of a package that is installed once, from the registry that npm is configured with. */
export async function installedFile(name: string, version: string, path: string): Promise<string> {
  const installed = await madeOnce(cacheFolder(`${name}-${version}`), async (folder) => {
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
    await promisify(execFile)('npm', [...words, `${name}@${version}`], { cwd: folder });
  });
  return join(installed, 'node_modules', name, path);
}

/** Node 24. */
export const node24 = (): Promise<string> => installedFile(`node-${platform}-${arch}`, NODE_24, 'bin/node');
