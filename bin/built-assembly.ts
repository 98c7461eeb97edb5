import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { machinePlatform } from '../infra/architecture.ts';
import { addCompiler } from '../infra/compiler.ts';
import { PackageUnavailable } from '../infra/packages/fetch-package.ts';
import { withStageVariables } from '../infra/stage-variables.ts';
import { type AssemblyOf, readAssembly, storeAssembly, withPaths } from './stored-assembly.ts';

/**
 * Gives the assembly that was built into `folder`, with the settings of this start. The service runs a copy in its own
 * directory, so that an update of the checkout or of the package changes nothing below a running service.
 */
export const builtAssemblyIn =
  (folder: string): AssemblyOf =>
  async (stage, directory) => {
    const built = await readAssembly(folder);
    if (!built) throw new PackageUnavailable(`The package is not complete, ${folder} is missing: install it again.`);
    const platform = machinePlatform();
    const key = `${built.key} ${platform}`;
    const own = {
      ...withPaths(built.assembly, (path) => join(directory, relative(folder, path))),
      template: withStageVariables(built.assembly.template, stage),
    };
    if ((await readAssembly(directory))?.key === key) return own;
    await rm(directory, { recursive: true, force: true });
    await copyFiles(folder, directory);
    await addCompiler(join(directory, 'functions', 'builder'), { platform });
    // Until then the copied record has a key without the platform, so the incomplete copy of a killed process is not
    // reused.
    await storeAssembly(directory, key, own);
    return own;
  };

/** Copies content only: files of the data directory have modes of their own. */
export async function copyFiles(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const source = join(entry.parentPath, entry.name);
        const target = join(to, relative(from, source));
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, await readFile(source));
      }),
  );
}
