import { existsSync } from 'node:fs';
import { chmod, cp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Platform } from './architecture.ts';
import { fetchPackage, PackageUnavailable, type PinnedPackage } from './packages/fetch-package.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

interface CompilerOptions {
  /** The platform of the function, which may differ from this machine's. */
  platform: Platform;
  /** Folder of fetched packages. */
  cache?: string;
  /** Environment of `npm`, which decides about the registry. */
  environment?: NodeJS.ProcessEnv;
}

/** Copies esbuild, which cannot be bundled, and its program for a platform into the builder's folder. */
export async function addCompiler(folder: string, options: CompilerOptions): Promise<void> {
  const home = dirname(dirname(createRequire(import.meta.url).resolve('esbuild')));
  const program = await programOf(options, dirname(home));
  const modules = join(folder, 'node_modules');
  const target = join(modules, '@esbuild', options.platform);
  // An earlier bundle may have the program of another platform.
  await rm(modules, { recursive: true, force: true });
  await Promise.all([
    cp(join(home, 'package.json'), join(modules, 'esbuild', 'package.json')),
    cp(join(home, 'lib', 'main.js'), join(modules, 'esbuild', 'lib', 'main.js')),
    cp(join(home, 'LICENSE.md'), join(modules, 'esbuild', 'LICENSE.md')),
    cp(join(program, 'package.json'), join(target, 'package.json')),
    cp(join(program, 'bin', 'esbuild'), join(target, 'bin', 'esbuild')),
  ]);
  // Lambda runs functions as a user who does not own their files.
  await chmod(join(target, 'package.json'), 0o644);
  await chmod(join(target, 'bin', 'esbuild'), 0o755);
}

/**
 * The folder of esbuild's program. npm installs only the one of this machine, so that of another platform is fetched.
 */
async function programOf(
  {
    platform,
    cache = join(root, 'node_modules', '.cache', 'tributary', 'packages'),
    environment = process.env,
  }: CompilerOptions,
  installed: string,
): Promise<string> {
  const name = `@esbuild/${platform}`;
  const local = join(installed, name);
  if (existsSync(local)) return local;
  try {
    return await fetchPackage(await pinned(name), { cache, environment });
  } catch (error) {
    if (!(error instanceof PackageUnavailable)) throw error;
    throw new PackageUnavailable(`The builder needs esbuild for ${platform}. ${error.message}`, {
      cause: error,
    });
  }
}

const LockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});

/** The version and the hash that `package-lock.json` has of a package. */
async function pinned(name: string): Promise<PinnedPackage> {
  const { packages } = LockFile.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new PackageUnavailable(`package-lock.json does not pin ${name}.`);
  return { name, version, integrity };
}
