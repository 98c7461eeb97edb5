import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { version as compilerVersion } from 'esbuild';
import type { BuildInput } from '../../shared/domain/build-result.ts';
import type { BuildManifest } from '../../shared/domain/component.ts';
import { compile, type ImportedPackage } from './compile.ts';
import { componentFiles } from './component-files.ts';
import type { SourceFile, SourceFiles } from './component-plugin.ts';
import { type FetchFile, fileFetcher } from './fetch-file.ts';
import { BuildFailure } from './failure.ts';
import { hashOf, sha256 } from './hash.ts';
import { noting } from './inputs.ts';
import type { NeededAddOn } from './native-add-ons.ts';
import { ownModules } from './own-modules.ts';
import { rangesAbove } from './package-ranges.ts';
import type { packageInstaller, ResolvedPackage } from './packages.ts';
import type { BuildJob, BuildSettings } from './builder-settings.ts';
import { sourcesAt, sourcesOf } from './source-files.ts';
import { wrapModule, wrapScript } from './wrap.ts';

export interface Built {
  manifest: BuildManifest;
  bundle: string;
}

/** And what it was made from, for whoever asks next. */
export interface BuiltFrom extends Built {
  inputs: BuildInput[];
}

/** Results kept for the same content asked again, in bytes of their bundles. */
const RESULT_BYTES = 64 * 1024 * 1024;

/** Bundles of an older form are not taken for those of this one. */
const FORM = hashOf([wrapScript, wrapModule].map((wrap) => [wrap('', { files: [], lines: [] }, {})]));

/** Builds components, one process of one user's; what it learnt serves the next build. */
export function builder(settings: BuildSettings) {
  const fetchAny = fileFetcher(settings);
  const own = ownModules(settings.platform);
  const results = new Map<string, Built>();
  let installer: ReturnType<typeof packageInstaller> | undefined;
  let platformHash: string | undefined;

  /** npm's client is large: a component without packages never waits for it. */
  async function installing() {
    const { packageInstaller } = await import('./packages.ts');
    return (installer ??= packageInstaller(settings));
  }

  async function ownHash(): Promise<string> {
    const { platform, types } = settings.platform;
    return (platformHash ??= hashOf([[sha256(await readFile(platform))], [sha256(await readFile(types))]]));
  }

  async function finish(
    sources: SourceFiles,
    bundle: string,
    packages: readonly ResolvedPackage[],
  ): Promise<Built> {
    const resolved = packages.map(({ name, version, integrity }) => [
      'package',
      `${name}@${version}`,
      integrity,
    ]);
    const circumstances = [
      ['compiler', compilerVersion, FORM],
      ['platform', await ownHash()],
    ];
    const { text } = sources.entry;
    const manifest: BuildManifest = {
      bundleHash: hashOf([...filesOf(sources), ...resolved, ...circumstances]),
      code: text,
      codeHash: sha256(text),
      contentHash: hashOf(filesOf(sources)),
      packages: packages.map(({ name, version }) => ({ name, version })),
      bundleBytes: Buffer.byteLength(bundle),
    };
    return { manifest, bundle };
  }

  async function build(sources: SourceFiles, fetchAbove: FetchFile | undefined): Promise<Built> {
    const first = await compile({ sources, own, installed: undefined });
    if (first.packages.length === 0)
      return remember(hashOf(filesOf(sources)), await finish(sources, first.bundle, []));
    const ranges =
      fetchAbove && first.packages.some(({ range }) => !range)
        ? await rangesAbove(sources.entry.id, fetchAbove)
        : new Map<string, string>();
    const key = hashOf([...filesOf(sources), ...[...ranges].map((range) => ['range', ...range])]);
    const known = results.get(key);
    if (known) return remember(key, known);
    const install = await installing();
    const tree = await install(first.packages, ranges);
    const { bundle, addOn } = await compile({ sources, own, installed: tree });
    if (addOn) throw new BuildFailure(addOnMessage(addOn, first.packages));
    return remember(key, await finish(sources, bundle, tree.packages));
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

  async function buildCode(code: string): Promise<BuiltFrom> {
    const sources = await sourcesOf(code);
    const known = results.get(hashOf(filesOf(sources)));
    return { ...(known ?? (await build(sources, undefined))), inputs: [] };
  }

  async function buildAt(url: string): Promise<BuiltFrom> {
    const { fetchFile, inputs } = noting(fetchAny);
    const sources = await sourcesAt(url, componentFiles(fetchFile));
    return { ...(await build(sources, fetchFile)), inputs: inputs() };
  }

  return ({ code, url }: Pick<BuildJob, 'code' | 'url'>): Promise<BuiltFrom> =>
    code === undefined ? buildAt(url ?? '') : buildCode(code);
}

function addOnMessage({ name, imported }: NeededAddOn, packages: readonly ImportedPackage[]): string {
  const at = packages.find((one) => one.name === imported)?.place;
  const where = at === undefined ? '' : `${at}: `;
  const whose = imported === name ? '' : `, and "${imported}" needs that package`;
  return `${where}the package "${name}" needs a native add-on, which components cannot use${whose}`;
}

/** Names relative to the entry, so that the same files at another place are the same component. */
function filesOf(sources: SourceFiles): string[][] {
  return sources.all().map((file) => ['file', relativeName(file, sources.entry), file.text]);
}

function relativeName(file: SourceFile, entry: SourceFile): string {
  if (file === entry) return 'entry';
  const [from, to] = [new URL(entry.id), new URL(file.id)];
  if (from.origin !== to.origin) return file.id;
  return posix.relative(posix.dirname(from.pathname), to.pathname);
}
