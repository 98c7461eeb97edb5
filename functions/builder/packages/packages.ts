import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstalledPackages } from '../compile.ts';
import type { ImportedPackage } from '../compiler-messages.ts';
import { InstallRefused } from '../failure.ts';
import { explained, isConflict } from './install-errors.ts';
import { publishedSize, refuseExcess, withinLimits } from './install-limits.ts';
import { forgetSince, keepCacheBelow } from './package-cache.ts';
import { registryAgent } from './registry-agent.ts';
import type { Resolve } from '../../../shared/aws/network.ts';
import type { BuildSettings } from '../builder-settings.ts';
import type { PackageSpecifier } from '../specifier.ts';
import { type Installed, installedOnce } from './installed-sets.ts';

export type ResolvedPackage = Installed['packages'][number];
export type InstalledSet = Installed & InstalledPackages;
/** Folder name → version, range or alias for npm. */
type Dependencies = Readonly<Record<string, string>>;

/** Interval of cache cleanups, each of which reads the whole cache directory. */
const CLEANUP_INTERVAL_MS = 60_000;

/** The dependencies to install. The first range of a package has the package's name as folder, others an alias. */
function dependencies(imports: readonly PackageSpecifier[], ranges: ReadonlyMap<string, string>) {
  const required = new Map<string, string>();
  const folders = new Map<string, string>();
  const explicit = imports.filter(({ range }) => range !== undefined);
  for (const { name, range } of [...explicit, ...imports]) {
    const version = range ?? required.get(name) ?? ranges.get(name) ?? 'latest';
    const key = `${name}@${range ?? ''}`;
    if (folders.has(key)) continue;
    const existing = required.get(name);
    const folder = existing === undefined || existing === version ? name : `${name}--${folders.size}`;
    required.set(folder, folder === name ? version : `npm:${name}@${version}`);
    folders.set(key, folder);
  }
  return {
    required: Object.fromEntries([...required].sort()),
    folderOf: ({ name, range }: PackageSpecifier) => folders.get(`${name}@${range ?? ''}`) ?? name,
  };
}

/** Installs packages from the registry only, without running their scripts. */
export function packageInstaller(settings: BuildSettings, resolve?: Resolve) {
  const { http, https, except } = settings.proxy;
  // Only npm's own agent supports proxies. Behind a proxy the network rule cannot be checked.
  const hasProxy = (http ?? https) !== undefined && settings.network.allowPrivate;
  const agent = hasProxy ? undefined : registryAgent(settings.network, { resolve });

  let cleanedAt = 0;

  async function reify(path: string, required: Dependencies, force: boolean): Promise<ResolvedPackage[]> {
    await writeFile(join(path, 'package.json'), JSON.stringify({ private: true, dependencies: required }));
    const { Arborist } = await import('./arborist.ts');
    const arborist = new Arborist({
      path,
      cache: settings.cacheDirectory,
      registry: settings.registry,
      ...(agent ? { agent } : { proxy: http, httpsProxy: https, noProxy: except }),
      ignoreScripts: true,
      binLinks: false,
      audit: false,
      save: false,
      packageLock: false,
      omit: ['dev'],
      force,
      // Only packages of the registry: no repositories, URLs or local folders.
      allowGit: 'none',
      allowRemote: 'none',
      allowFile: 'none',
      allowDirectory: 'none',
      fetchRetries: 1,
      timeout: 30_000,
    });
    const planned = await arborist.buildIdealTree();
    refuseExcess(publishedSize([...planned.inventory.values()]));
    const tree = await arborist.reify();
    if (Date.now() > cleanedAt + CLEANUP_INTERVAL_MS) {
      cleanedAt = Date.now();
      await keepCacheBelow(settings.cacheDirectory);
    }
    return [...tree.inventory.values()]
      .filter((node) => !node.isRoot)
      .map(({ name, version, integrity }) => ({ name, version: version ?? '', integrity: integrity ?? '' }));
  }

  async function install(path: string, required: Dependencies, imports: readonly ImportedPackage[]) {
    const startedAt = Date.now();
    try {
      return await withinLimits(path, () =>
        reify(path, required, false).catch((error: unknown) => {
          // Install anyway, as npm does with `--force`.
          if (isConflict(error)) return reify(path, required, true);
          throw error;
        }),
      );
    } catch (error) {
      const explanation = explained(error, imports, settings.registry);
      if (explanation instanceof InstallRefused)
        await forgetSince(settings.cacheDirectory, startedAt).catch(() => undefined);
      throw explanation;
    }
  }

  return async (imports: readonly ImportedPackage[], ranges: ReadonlyMap<string, string>): Promise<InstalledSet> => {
    const { required, folderOf } = dependencies(imports, ranges);
    const installed = await installedOnce(settings, JSON.stringify(required), (path) =>
      install(path, required, imports),
    );
    return { ...installed, folderOf };
  };
}
