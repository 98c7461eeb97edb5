import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { madeOnce } from './made-once.ts';

const run = promisify(execFile);

export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** As in `package-lock.json`. */
  readonly integrity: string;
}

/** The message is one sentence. */
export class PackageUnavailable extends Error {}

interface Settings {
  /** Folder of the fetched packages. */
  cache: string;
  /** Environment of `npm`, which decides about the registry. */
  environment?: NodeJS.ProcessEnv;
}

const NPM_OPTIONS = ['--json', '--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];

/**
 * Folder with the files of an npm package, without the packages it depends on. The package is fetched once, from the
 * registry that npm is configured with.
 */
export async function fetchPackage(
  { name, version, integrity }: PinnedPackage,
  { cache, environment = process.env }: Settings,
): Promise<string> {
  const what = `${name}@${version}`;
  return madeOnce(join(cache, `${name.replace('/', '-')}-${version}`), async (folder) => {
    const archive = await fetchArchive(what, folder, environment);
    const hash = createHash('sha512').update(await readFile(archive));
    const found = `sha512-${hash.digest('base64')}`;
    if (found !== integrity)
      throw new PackageUnavailable(`The package ${what} is not the pinned one: its hash is ${found}.`);
    await run('tar', ['-xzf', archive, '--strip-components=1', '-C', folder]);
    await rm(archive);
  });
}

async function fetchArchive(what: string, folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const args = ['pack', what, '--pack-destination', folder, ...NPM_OPTIONS];
  const { stdout } = await run('npm', args, { env }).catch((error: unknown) => {
    throw new PackageUnavailable(`The package ${what} could not be fetched from the registry: ${reasonOf(error)}`);
  });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(folder, packed?.filename ?? '');
}

/** The summary that `npm --json` prints, if it got that far. */
function reasonOf(error: unknown): string {
  const { stdout = '', stderr = String(error) } = error as { stdout?: string; stderr?: string };
  try {
    return (JSON.parse(stdout) as { error: { summary: string } }).error.summary;
  } catch {
    return stderr;
  }
}
