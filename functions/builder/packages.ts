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
/** Folder name → version, range or alias for npm. */
type Dependencies = Readonly<Record<string, string>>;

/** Interval of cache cleanups, each of which reads the whole cache directory. */
const CLEANUP_INTERVAL_MS = 60_000;

/** The members of npm's errors that identify the cause. */
const NpmError = z.object({
  code: z.string().optional(),
  message: z.string(),
  name: z.string().optional(),
  uri: z.string().optional(),
  pkgid: z.string().optional(),
  wanted: z.string().optional(),
  /** Set only on errors of the HTTP client, when the registry gave no readable response. */
  type: z.string().optional(),
});
type NpmError = z.infer<typeof NpmError>;

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
export function packageInstaller(settings: BuildSettings) {
  const { http, https, except } = settings.proxy;
  // Only npm's own agent supports proxies. Behind a proxy the network rule cannot be checked.
  const hasProxy = (http ?? https) !== undefined && settings.network.allowPrivate;
  const agent = hasProxy ? undefined : registryAgent(settings.network);

  let cleanedAt = 0;

  async function reify(path: string, required: Dependencies, force: boolean): Promise<ResolvedPackage[]> {
    await writeFile(join(path, 'package.json'), JSON.stringify({ private: true, dependencies: required }));
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
    try {
      return await reify(path, required, false).catch((error: unknown) => {
        // Peer dependencies conflict: install anyway, as npm does with `--force`.
        if (NpmError.safeParse(error).data?.code === 'ERESOLVE') return reify(path, required, true);
        throw error;
      });
    } catch (error) {
      throw explained(error, imports, settings.registry);
    }
  }

  return async (imports: readonly ImportedPackage[], ranges: ReadonlyMap<string, string>): Promise<Tree> => {
    const { required, folderOf } = dependencies(imports, ranges);
    const installed = await installedOnce(settings.treesDirectory, JSON.stringify(required), (path) =>
      install(path, required, imports),
    );
    return { ...installed, folderOf };
  };
}

/** The error for the component's author, or the unchanged error when the builder itself failed. */
function explained(error: unknown, imports: readonly ImportedPackage[], registry: string): unknown {
  const { data } = NpmError.safeParse(error);
  if (!data) return error;
  // On other errors `name` is the name of the error class.
  const isAboutVersions = data.code === 'ETARGET' || data.code === 'ENOVERSIONS';
  const id = (isAboutVersions && data.name) || requestOf(data, registry);
  const name = /^((?:@[^/@]+\/)?[^/@]+)/.exec(id)?.[1] ?? data.message;
  const by = imports.find((item) => item.name === name);
  const importer = by
    ? `, imported by ${by.position}`
    : `, needed by a package that ${imports[0]?.position ?? 'the component'} imports`;
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
        `the packages ${imports.map((item) => `"${item.name}" (${item.position})`).join(', ')} cannot be installed: ${withoutCredentials(data.message)}`,
      );
    default:
      if (data.type === undefined && !OVERLOADED.test(data.code ?? '')) return error;
      return new RegistryUnavailable(
        `The package "${name}"${importer}, cannot be fetched: the npm registry ${withoutCredentials(registry)} is unavailable (${causeOf(data)}).`,
      );
  }
}

/** Statuses of an overloaded or failing registry, independent of the package. */
const OVERLOADED = /^E(?:408|429|5\d\d)$/;

/** The requested package, package with range, or archive path, as far as the error contains it. */
function requestOf({ pkgid, uri, message }: NpmError, registry: string): string {
  const address = uri ?? /https?:\/\/\S+/.exec(message)?.[0] ?? '';
  return pkgid ?? decodeURIComponent(address.slice(registry.length));
}

/** The reason without the request, which the message names already. */
function causeOf({ message }: NpmError): string {
  const reason = /reason: ([^\n]+)/.exec(message)?.[1] ?? message;
  return withoutCredentials(reason.trim()).slice(0, LONGEST_CAUSE);
}

const LONGEST_CAUSE = 300;

const withoutCredentials = (text: string): string => text.replace(/\/\/[^/\s@]*@/g, '//');
