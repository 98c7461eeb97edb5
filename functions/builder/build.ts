import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { version as compilerVersion } from 'esbuild';
import type { Resolve } from '../../shared/aws/network.ts';
import type { BuildInput } from '../../shared/domain/component/build-result.ts';
import type { BuildManifest } from '../../shared/domain/component/component.ts';
import { authReadsOf } from './auth/auth-reads.ts';
import { compile, type Compiled } from './compile.ts';
import type { ImportedPackage } from './compiler-messages.ts';
import { componentFiles } from './files/component-files.ts';
import type { SourceFile, SourceFiles } from './component-plugin.ts';
import { type FetchFile, fileFetcher } from './files/fetch-file.ts';
import { BuildFailure } from './failure.ts';
import { hashOf, sha256 } from './hash.ts';
import { recording } from './files/inputs.ts';
import type { NeededAddOn } from './packages/native-add-ons.ts';
import { ownModules } from './own-modules.ts';
import { rangesAbove } from './packages/ranges-above.ts';
import { packageInstaller, type ResolvedPackage } from './packages/packages.ts';
import type { BuildJob, BuildSettings } from './builder-settings.ts';
import { type SentCode, sentSources } from './files/sent-sources.ts';
import { shownPositions } from '../../shared/domain/component/code-slips.ts';
import { slipsOf } from './slips/slips.ts';
import { scriptsOf } from './syntax-tree.ts';
import { sourcesAt, sourcesOf } from './files/source-files.ts';
import { wrapModule, wrapScript } from './wrap.ts';

export interface Built {
  manifest: BuildManifest;
  bundle: string;
}

/** A build with its inputs, for comparison at the next build. */
export interface BuiltFrom extends Built {
  inputs: BuildInput[];
}

/** Limit of cached results, in bytes of their bundles. */
const RESULT_BYTES = 64 * 1024 * 1024;

/**
 * Builds components of one user in this process; caches results and module metadata between builds. `resolve` replaces
 * the resolver of the system.
 */
export function builder(settings: BuildSettings, resolve?: Resolve) {
  const fetchAny = fileFetcher(settings, resolve);
  const own = ownModules(settings.modules);
  const results = new Map<string, Built>();
  const install = packageInstaller(settings, resolve);
  let platformHash: string | undefined;

  async function ownHash(): Promise<string> {
    const positions = { files: [], lines: [], points: [] };
    const empty = { prelude: await own.prelude(), positions, texts: [], files: {} };
    // Bundles with an older wrapper are not reused.
    const form = [wrapScript, wrapModule].map((wrap) => wrap('', empty));
    const modules = await Promise.all([own.path('platform'), own.path('types')].map((path) => readFile(path)));
    return (platformHash ??= hashOf([...form, ...modules].map((part) => [sha256(part)])));
  }

  async function build(sources: SourceFiles, fetchAbove: FetchFile | undefined): Promise<Built> {
    const first = await compile({ sources, own, installed: undefined });
    if (first.packages.length === 0)
      return remember(
        hashOf(filesOf(sources)),
        await builtOf(sources, first, { packages: [], platformHash: await ownHash() }),
      );
    const ranges =
      fetchAbove && first.packages.some(({ range }) => !range)
        ? await rangesAbove(sources.entry.id, fetchAbove)
        : new Map<string, string>();
    const key = hashOf([...filesOf(sources), ...[...ranges].map((range) => ['range', ...range])]);
    const cached = results.get(key);
    if (cached) return remember(key, cached);
    const installedSet = await install(first.packages, ranges);
    const compiled = await compile({ sources, own, installed: installedSet });
    if (compiled.addOn) throw new BuildFailure(addOnMessage(compiled.addOn, first.packages));
    const { packages } = installedSet;
    return remember(key, await builtOf(sources, compiled, { packages, platformHash: await ownHash() }));
  }

  function forgetOldest(): void {
    let bytes = [...results.values()].reduce((sum, { manifest }) => sum + manifest.bundleBytes, 0);
    for (const [key, { manifest }] of results) {
      if (bytes <= RESULT_BYTES) return;
      results.delete(key);
      bytes -= manifest.bundleBytes;
    }
  }

  function remember(key: string, built: Built): Built {
    results.delete(key);
    results.set(key, built);
    forgetOldest();
    return built;
  }

  async function buildCode({ code, path, files }: SentCode): Promise<BuiltFrom> {
    const isAlone = path === undefined && (files ?? []).length === 0;
    const { sources, findFile } = isAlone
      ? { sources: await sourcesOf(code), findFile: undefined }
      : await sentSources({ code, path, files });
    const cached = results.get(hashOf(filesOf(sources)));
    return { ...(cached ?? (await build(sources, findFile))), inputs: [] };
  }

  async function buildAt(url: string): Promise<BuiltFrom> {
    const { fetchFile, inputs } = recording(fetchAny);
    const sources = await sourcesAt(url, componentFiles(fetchFile));
    return { ...(await build(sources, fetchFile)), inputs: inputs() };
  }

  return ({ code, url, path, files }: Omit<BuildJob, 'settings'>): Promise<BuiltFrom> =>
    code === undefined ? buildAt(url ?? '') : buildCode({ code, path, files });
}

/** A build of sources, named by the hash of all that its bundle consists of. */
async function builtOf(
  sources: SourceFiles,
  { bundle, imports, computedRequires }: Compiled,
  { packages, platformHash }: { packages: readonly ResolvedPackage[]; platformHash: string },
): Promise<Built> {
  const resolved = packages.map(({ name, version, integrity }) => ['package', `${name}@${version}`, integrity]);
  const toolchain = [
    ['compiler', compilerVersion],
    ['platform', platformHash],
  ];
  const { id: entry, text } = sources.entry;
  const scripts = await scriptsOf(sources.all());
  const manifest: BuildManifest = {
    bundleHash: hashOf([...filesOf(sources), ...resolved, ...toolchain]),
    code: text,
    codeHash: sha256(text),
    contentHash: hashOf(filesOf(sources)),
    packages: packages.map(({ name, version }) => ({ name, version })),
    bundleBytes: Buffer.byteLength(bundle),
    authReads: authReadsOf(scripts, { entry, imports }),
    slips: { ...slipsOf(scripts, entry), requires: shownPositions(computedRequires) },
  };
  return { manifest, bundle };
}

function addOnMessage({ name, imported }: NeededAddOn, packages: readonly ImportedPackage[]): string {
  const position = packages.find((item) => item.name === imported)?.position;
  const prefix = position === undefined ? '' : `${position}: `;
  const suffix = imported === name ? '' : `, and "${imported}" needs that package`;
  return `${prefix}the package "${name}" needs a native add-on, which components cannot use${suffix}`;
}

/** Names relative to the entry, so that the same files at another URL are the same component. */
function filesOf(sources: SourceFiles): string[][] {
  const { entry, entryPath } = sources;
  const files = sources.all().map((file) => ['file', relativeName(file, entry), file.text]);
  return entryPath === undefined ? files : [['path', entryPath], ...files];
}

function relativeName(file: SourceFile, entry: SourceFile): string {
  if (file === entry) return 'entry';
  const [from, to] = [new URL(entry.id), new URL(file.id)];
  if (from.origin !== to.origin) return file.id;
  return posix.relative(posix.dirname(from.pathname), to.pathname);
}
