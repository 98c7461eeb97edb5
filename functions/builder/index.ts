import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type BuildDone,
  type BuildLeft,
  BuildRequest,
  type BuildResult,
} from '../../shared/domain/component/build-result.ts';
import { LONGEST_BUILD_MS } from '../../shared/domain/time-limits.ts';
import { environment, machine, networkRule } from '../../shared/lambda/environment.ts';
import { builderPool } from './builder-pool.ts';
import { fileFetcher } from './files/fetch-file.ts';
import { hashOf, sha256 } from './hash.ts';
import { areUnchanged } from './files/inputs.ts';
import { processesOf } from '../../shared/runtime/processes.ts';
import type { OwnerDirectories } from './builder-process.ts';
import { BUNDLE, type BuildSettings } from './builder-settings.ts';
import { readBundle } from './read-bundle.ts';
import { removeUnfinished, SWEEP_INTERVAL_MS, sweepInstalledSets } from './packages/installed-sets.ts';

const { LAMBDA_TASK_ROOT, HTTP_PROXY, HTTPS_PROXY, NO_PROXY, ...certificates } = machine();

const { NPM_REGISTRY, COMPONENT_HOSTS } = environment('NPM_REGISTRY', 'COMPONENT_HOSTS');
const network = networkRule();

const shared: Omit<BuildSettings, 'workDirectory' | 'cacheDirectory' | 'installedSetsDirectory'> = {
  registry: NPM_REGISTRY,
  network,
  hosts: z.record(z.string(), z.url()).parse(JSON.parse(COMPONENT_HOSTS)),
  proxy: present({ http: HTTP_PROXY, https: HTTPS_PROXY, except: NO_PROXY }),
  modules: LAMBDA_TASK_ROOT,
};

const fetchFile = fileFetcher(shared);

/** Programs that affect the result of a build, in addition to the component's files. */
const PROGRAMS = [
  ...['child.js', 'platform.mjs', 'types.mjs', 'prelude.js'],
  join('node_modules', 'esbuild', 'package.json'),
];
let programsHash: Promise<string> | undefined;

async function hashPrograms(): Promise<string> {
  const programs = await Promise.all(PROGRAMS.map((name) => readFile(join(LAMBDA_TASK_ROOT, name))));
  return hashOf([['registry', NPM_REGISTRY], ...programs.map((text, n) => ['program', String(n), sha256(text)])]);
}

const builtBy = (): Promise<string> => (programsHash ??= hashPrograms());

const isStill = async (earlier: BuildDone): Promise<boolean> =>
  earlier.builtBy === (await builtBy()) && areUnchanged(earlier.inputs, fetchFile);

const processes = processesOf(process);
const pool = builderPool({
  processes,
  program: join(LAMBDA_TASK_ROOT, 'child.js'),
  programFolder: LAMBDA_TASK_ROOT,
  // Node reads these at start; all other settings are sent with each build.
  env: present(certificates),
  network: { allowPrivate: network.allowPrivate, allowList: network.allowList, exceptions: [] },
  // The rest of the function's time is for the upload.
  limitMs: LONGEST_BUILD_MS - 10_000,
  idleMs: 30_000,
});

/** Removes what no build uses any more, and what builds left that were killed while they installed packages. */
async function sweep(): Promise<void> {
  // The files belong to another operating-system user, where there are some.
  const remove = (path: string) => processes.remove(path);
  for (const { packages, installedSets } of pool.unused()) {
    // A process that is ending may still write there. The next round removes the rest.
    await removeUnfinished(installedSets, packages, remove).catch(() => undefined);
    await sweepInstalledSets(installedSets, remove).catch(() => undefined);
  }
}
const sweeper = setInterval(() => void sweep(), SWEEP_INTERVAL_MS).unref();

// Sent before an instance ends, if at all. Its files are of no use to other instances.
process.once('SIGTERM', () => {
  clearInterval(sweeper);
  pool.close();
});

/**
 * Builds one component, and uploads the bundle, then its manifest. When all inputs are unchanged since the earlier
 * build, returns that without starting a build process.
 */
export async function handler(event: unknown): Promise<BuildResult> {
  const { ownerId, code, path, files, url, uploads, earlier } = BuildRequest.parse(event);
  if (earlier && (await isStill(earlier))) return { ok: true, manifest: earlier.manifest, attempt: earlier.attempt };
  const job = ({ packages, installedSets, work }: OwnerDirectories & { work: string }) => ({
    settings: {
      ...shared,
      cacheDirectory: packages,
      installedSetsDirectory: installedSets,
      workDirectory: work,
    },
    ...(code === undefined ? {} : { code, path, files }),
    ...(url === undefined ? {} : { url }),
  });
  const result = await pool.build(ownerId, job, async (response, work): Promise<BuildResult> => {
    if (response.kind === 'broken') throw new Error(response.message);
    if (response.kind === 'not_started')
      return {
        ok: false,
        code: 'unavailable',
        message: 'All builders are busy. Try again in a few seconds.',
      };
    if (response.kind === 'queue_full')
      return {
        ok: false,
        code: 'unavailable',
        message: response.isOwn
          ? 'Too many builds of yours wait already: a user may have 100, or 50 while others fill the queue. Try again in a few seconds.'
          : 'Too many builds wait already. Try again in a few seconds.',
      };
    const leave = (left: BuildLeft) => put(uploads.manifest, JSON.stringify(left));
    if (response.kind === 'failed' || response.kind === 'unavailable') {
      const { message } = response;
      const code = response.kind === 'failed' ? 'build_failed' : 'registry_unavailable';
      const frames = response.kind === 'failed' ? (response.frames ?? []) : [];
      await leave({ failed: message, code, frames, at: Date.now() });
      return { ok: false, code, message, frames };
    }
    const { manifest, inputs } = response;
    const { attempt } = uploads;
    await put(uploads.bundle, await readBundle(join(work, BUNDLE)));
    await leave({ manifest, attempt, inputs, builtBy: await builtBy(), at: Date.now() });
    return { ok: true, manifest, attempt };
  });
  if (!result.ok) await sweep();
  return result;
}

/**
 * Uploads to a presigned URL. The URL comes from the service, so the network rule for user-supplied URLs does not
 * apply.
 */
async function put(address: string, body: string | Buffer): Promise<void> {
  const response = await fetch(address, { method: 'PUT', body });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the upload answered ${response.status}`);
}

function present<T extends Record<string, string | undefined>>(values: T): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
