import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Arborist from '@npmcli/arborist';
import * as z from 'zod';
import type { ImportedPackage, InstalledPackages } from './compile.ts';
import { BuildFailure } from './failure.ts';
import { keepCacheBelow } from './package-cache.ts';
import { registryAgent } from './registry-agent.ts';
import type { BuildSettings } from './settings.ts';
import type { PackageSpecifier } from './specifier.ts';

/** Installed sets kept for the next build of this process, which nobody else writes to. */
const TREES = 4;

/** After this long "latest" is asked again. */
const TREE_AGE_MS = 5 * 60_000;

export interface ResolvedPackage {
  name: string;
  version: string;
  integrity: string;
}

export interface Tree extends InstalledPackages {
  packages: ResolvedPackage[];
}

/** What of an error of npm's tells whose fault it is. */
const NpmError = z.object({
  code: z.string().optional(),
  message: z.string(),
  name: z.string().optional(),
  uri: z.string().optional(),
  pkgid: z.string().optional(),
  wanted: z.string().optional(),
  type: z.string().optional(),
});

/** Folder name → what npm is asked for. The first range of a package has its own name, others an alias. */
export function dependencies(imports: readonly PackageSpecifier[], ranges: ReadonlyMap<string, string>) {
  const asked = new Map<string, string>();
  const folders = new Map<string, string>();
  const explicit = imports.filter(({ range }) => range !== undefined);
  for (const { name, range } of [...explicit, ...imports]) {
    const wanted = range ?? asked.get(name) ?? ranges.get(name) ?? 'latest';
    const key = `${name}@${range ?? ''}`;
    if (folders.has(key)) continue;
    const taken = asked.get(name);
    const folder = taken === undefined || taken === wanted ? name : `${name}--${folders.size}`;
    asked.set(folder, folder === name ? wanted : `npm:${name}@${wanted}`);
    folders.set(key, folder);
  }
  return {
    asked: Object.fromEntries([...asked].sort()),
    folderOf: ({ name, range }: PackageSpecifier) => folders.get(`${name}@${range ?? ''}`) ?? name,
  };
}

/** Installs packages without running anything of theirs, from the registry only. */
export function packageInstaller(settings: BuildSettings) {
  const trees = new Map<string, { tree: Promise<Omit<Tree, 'folderOf'>>; at: number }>();
  const agent = settings.network.allowPrivate ? undefined : registryAgent(settings.network);

  async function reify(asked: Record<string, string>, force: boolean): Promise<Omit<Tree, 'folderOf'>> {
    await mkdir(settings.workDirectory, { recursive: true });
    const path = await realpath(await mkdtemp(join(settings.workDirectory, 'tree-')));
    await writeFile(join(path, 'package.json'), JSON.stringify({ private: true, dependencies: asked }));
    const { http, https, except } = settings.proxy;
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
      // Only the registry is reached: no repositories, no addresses, no folders of this machine.
      allowGit: 'none',
      allowRemote: 'none',
      allowFile: 'none',
      allowDirectory: 'none',
      fetchRetries: 1,
      timeout: 30_000,
    });
    const tree = await arborist.reify();
    await keepCacheBelow(settings.cacheDirectory);
    const packages = [...tree.inventory.values()]
      .filter((node) => !node.isRoot)
      .map(({ name, version, integrity }) => ({ name, version: version ?? '', integrity: integrity ?? '' }));
    return { root: path, packages };
  }

  async function install(asked: Record<string, string>, imports: readonly ImportedPackage[]) {
    try {
      return await reify(asked, false).catch((error: unknown) => {
        // Peers that contradict each other: npm's own way out is to take the nearest and go on.
        if (NpmError.safeParse(error).data?.code === 'ERESOLVE') return reify(asked, true);
        throw error;
      });
    } catch (error) {
      throw explained(error, imports, settings.registry);
    }
  }

  async function forget(now: number): Promise<void> {
    const old = [...trees].filter(
      ([, { at }], index) => index < trees.size - TREES || at + TREE_AGE_MS < now,
    );
    for (const [key, { tree }] of old) {
      trees.delete(key);
      const gone = await tree.catch(() => undefined);
      if (gone) await rm(gone.root, { recursive: true, force: true });
    }
  }

  return async (imports: readonly ImportedPackage[], ranges: ReadonlyMap<string, string>): Promise<Tree> => {
    const now = Date.now();
    await forget(now);
    const { asked, folderOf } = dependencies(imports, ranges);
    const key = JSON.stringify(asked);
    const known = trees.get(key) ?? { tree: install(asked, imports), at: now };
    trees.delete(key);
    trees.set(key, known);
    known.tree.catch(() => trees.delete(key));
    return { ...(await known.tree), folderOf };
  };
}

/** The sentence for the component's author, or the error as it is when the registry is at fault. */
function explained(error: unknown, imports: readonly ImportedPackage[], registry: string): unknown {
  const { data } = NpmError.safeParse(error);
  if (!data) return error;
  // On most errors `name` is the error's own, as on every Error.
  const isAboutVersions = data.code === 'ETARGET' || data.code === 'ENOVERSIONS';
  const asked = data.pkgid ?? decodeURIComponent(data.uri?.slice(registry.length) ?? '');
  const id = (isAboutVersions && data.name) || asked;
  const name = /^((?:@[^/@]+\/)?[^/@]+)/.exec(id)?.[1] ?? data.message;
  const by = imports.find((one) => one.name === name);
  const importer = by
    ? `, imported by ${by.place}`
    : `, needed by a package that ${imports[0]?.place ?? 'the component'} imports`;
  switch (data.code) {
    case 'E404':
      return new BuildFailure(`the package "${name}" was not found on the npm registry${importer}`);
    case 'ETARGET':
    case 'ENOVERSIONS':
      return new BuildFailure(
        `the package "${name}" has no version "${data.wanted ?? by?.range ?? 'latest'}"${importer}`,
      );
    case 'E401':
    case 'E403':
    case 'EALLOWGIT':
    case 'EALLOWREMOTE':
    case 'EALLOWFILE':
    case 'EALLOWDIRECTORY':
    case 'EBADPLATFORM':
    case 'EINVALIDPACKAGENAME':
    case 'EINVALIDTAGNAME':
    case 'ERR_ADDRESS_REFUSED':
    case 'EINTEGRITY':
      return new BuildFailure(
        `the packages ${imports.map((one) => `"${one.name}" (${one.place})`).join(', ')} cannot be installed: ${data.message}`,
      );
    default:
      return error;
  }
}
