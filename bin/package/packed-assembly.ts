import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { machinePlatform } from '../../infra/architecture.ts';
import { addCompiler } from '../../infra/compiler.ts';
import { PackageUnavailable } from '../../infra/packages/fetch-package.ts';
import { madeOnce } from '../../infra/packages/made-once.ts';
import { withStageVariables } from '../../infra/stage-variables.ts';
import { type AssemblyOf, readAssembly } from '../stored-assembly.ts';

/**
 * Gives the assembly that was synthesised when the package was built, with the settings of this start. The package is for every platform:
 * the builder's folder, completed with the compiler of this machine, is kept in the service's own directory.
 */
export const packedAssemblyIn =
  (folder: string): AssemblyOf =>
  async (stage, directory) => {
    const packed = await readAssembly(folder);
    if (!packed)
      throw new PackageUnavailable(`The package is not complete, ${folder} is missing: install it again.`);
    const { key, assembly } = packed;
    const assets = await Promise.all(
      [...assembly.assets].map(async ([asset, code]): Promise<[string, string]> => [
        asset,
        basename(code) === 'builder' ? await completedBuilder(code, directory, key) : code,
      ]),
    );
    return {
      ...assembly,
      template: withStageVariables(assembly.template, stage),
      assets: new Map(assets),
    };
  };

/** Copy of the builder's folder, with the compiler of this machine. */
async function completedBuilder(code: string, directory: string, key: string): Promise<string> {
  const platform = machinePlatform();
  const name = createHash('sha256').update(`${key} ${platform}`).digest('hex').slice(0, 16);
  const builder = join(directory, `builder-${name}`);
  // The folder of another release.
  if (!existsSync(builder)) await rm(directory, { recursive: true, force: true });
  return madeOnce(builder, async (folder) => {
    await cp(code, folder, { recursive: true });
    await addCompiler(folder, { platform });
  });
}
