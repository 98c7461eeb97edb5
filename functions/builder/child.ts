import '../../shared/runtime/built-in-code-cache.ts';
import { lookup } from 'node:dns';
import { writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Resolve } from '../../shared/aws/network.ts';
import { LineReader } from '../../shared/lib/line-reader.ts';
import { LINES, REQUESTS } from '../../shared/runtime/descriptors.ts';
import { takeHostSettings } from '../../shared/runtime/host-settings.ts';
import { tunnelThrough } from '../../shared/runtime/network/tunnel.ts';
import { builder } from './build.ts';
import { BuildFailure, CompilerEnded, InstallRefused, RegistryUnavailable } from './failure.ts';
import { SWEEP_INTERVAL_MS, sweepInstalledSets } from './packages/installed-sets.ts';
import { BUNDLE, BuildJob, type BuildResponse } from './builder-settings.ts';

/**
 * The process for untrusted code: it fetches, installs and compiles it, but does not run it. Started without
 * environment variables; serves the builds of one user, and ends with its parent.
 */
const { gateway } = takeHostSettings(process.env);
if (gateway !== undefined) tunnelThrough(gateway);
/** In the sandbox the gateway resolves names, by this function. */
const resolve: Resolve | undefined =
  gateway === undefined ? undefined : (host, options, done) => lookup(host, options, done);

const installedSets = new Set<string>();
setInterval(() => {
  for (const path of installedSets) void sweepInstalledSets(path);
}, SWEEP_INTERVAL_MS).unref();

const builders = new Map<string, ReturnType<typeof builder>>();

async function respond(message: unknown): Promise<BuildResponse> {
  const { settings, ...job } = BuildJob.parse(message);
  installedSets.add(settings.installedSetsDirectory);
  const key = JSON.stringify(settings);
  const build = builders.get(key) ?? builder(settings, resolve);
  builders.set(key, build);
  try {
    const { manifest, bundle, inputs } = await build(job);
    await writeFile(join(settings.workDirectory, BUNDLE), bundle);
    return { kind: 'built', manifest, inputs };
  } catch (error) {
    if (error instanceof BuildFailure)
      return {
        kind: 'failed',
        message: error.message,
        frames: [...error.frames],
        isLast: error instanceof InstallRefused || error instanceof CompilerEnded,
      };
    if (error instanceof RegistryUnavailable) return { kind: 'unavailable', message: error.message };
    return {
      kind: 'broken',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

function send(line: BuildResponse): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let sent = 0; sent < bytes.length;) sent += writeSync(LINES, bytes, sent);
}

const lines = new LineReader();
new Socket({ fd: REQUESTS, readable: true, writable: false })
  .on('data', (chunk: Buffer) => {
    for (const line of lines.push(chunk)) void respond(JSON.parse(line)).then(send);
  })
  .on('error', () => process.exit())
  .on('close', () => process.exit());
