import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Arborist from '@npmcli/arborist';
import * as z from 'zod';
import type { ImportedPackage, InstalledPackages } from './compile.ts';
import { BuildFailure, RegistryUnavailable } from './failure.ts';
import { keepCacheBelow } from './package-cache.ts';
import { registryAgent } from './registry-agent.ts';
import type { BuildSettings } from './builder-settings.ts';
import type { PackageSpecifier } from './specifier.ts';
import { type Installed, installedOnce } from './trees.ts';

export type ResolvedPackage = Installed['packages'][number];
export type Tree = Installed & InstalledPackages;
/** Folder name → what npm is asked for. */
type Asked = Readonly<Record<string, string>>;

/** All files of the cache are looked at each time. */
const CACHE_LOOK_MS = 60_000;

/** What of an error of npm's tells whose fault it is. */
const NpmError = z.object({
  code: z.string().optional(),
  message: z.string(),
  name: z.string().optional(),
  uri: z.string().optional(),
  pkgid: z.string().optional(),
  wanted: z.string().optional(),
  /** Only on errors of the HTTP client: the registry gave no answer that npm can read. */
  type: z.string().optional(),
});
type NpmError = z.infer<typeof NpmError>;

/** Folder name → what npm is asked for. The first range of a package has its own name, others an alias. */
function dependencies(imports: readonly PackageSpecifier[], ranges: ReadonlyMap<string, string>) {
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
  const { http, https, except } = settings.proxy;
  // npm's own agent is the one that knows proxies. Behind them no address can be checked.
  const hasProxy = (http ?? https) !== undefined && settings.network.allowPrivate;
  const agent = hasProxy ? undefined : registryAgent(settings.network);

  let lookedAt = 0;

  async function reify(path: string, asked: Asked, force: boolean): Promise<ResolvedPackage[]> {
    await writeFile(join(path, 'package.json'), JSON.stringify({ private: true, dependencies: asked }));
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
    if (Date.now() > lookedAt + CACHE_LOOK_MS) {
      lookedAt = Date.now();
      await keepCacheBelow(settings.cacheDirectory);
    }
    return [...tree.inventory.values()]
      .filter((node) => !node.isRoot)
      .map(({ name, version, integrity }) => ({ name, version: version ?? '', integrity: integrity ?? '' }));
  }

  async function install(path: string, asked: Asked, imports: readonly ImportedPackage[]) {
    try {
      return await reify(path, asked, false).catch((error: unknown) => {
        // Peers that contradict each other: npm's own way out is to take the nearest and go on.
        if (NpmError.safeParse(error).data?.code === 'ERESOLVE') return reify(path, asked, true);
        throw error;
      });
    } catch (error) {
      throw explained(error, imports, settings.registry);
    }
  }

  return async (imports: readonly ImportedPackage[], ranges: ReadonlyMap<string, string>): Promise<Tree> => {
    const { asked, folderOf } = dependencies(imports, ranges);
    const installed = await installedOnce(settings.treesDirectory, JSON.stringify(asked), (path) =>
      install(path, asked, imports),
    );
    return { ...installed, folderOf };
  };
}

/** The sentence for the component's author, or the error as it is when it is ours. */
function explained(error: unknown, imports: readonly ImportedPackage[], registry: string): unknown {
  const { data } = NpmError.safeParse(error);
  if (!data) return error;
  // On most errors `name` is the error's own, as on every Error.
  const isAboutVersions = data.code === 'ETARGET' || data.code === 'ENOVERSIONS';
  const id = (isAboutVersions && data.name) || askedFor(data, registry);
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
      if (data.type === undefined && !OVERLOADED.test(data.code ?? '')) return error;
      return new RegistryUnavailable(
        `The package "${name}"${importer}, cannot be fetched: the npm registry ${withoutCredentials(registry)} is unavailable (${causeOf(data)}).`,
      );
  }
}

/** Answers that say nothing about the package: the registry times out, limits or fails. */
const OVERLOADED = /^E(?:408|429|5\d\d)$/;

/** What npm asked the registry for, as far as the error tells: a package, a package with a range, or the path of an archive. */
function askedFor({ pkgid, uri, message }: NpmError, registry: string): string {
  const address = uri ?? /https?:\/\/\S+/.exec(message)?.[0] ?? '';
  return pkgid ?? decodeURIComponent(address.slice(registry.length));
}

/** Without the request, which the sentence names already. */
function causeOf({ message }: NpmError): string {
  const reason = /reason: ([^\n]+)/.exec(message)?.[1] ?? message;
  return withoutCredentials(reason.trim()).slice(0, LONGEST_CAUSE);
}

const LONGEST_CAUSE = 300;

const withoutCredentials = (text: string): string => text.replace(/\/\/[^/\s@]*@/g, '//');
