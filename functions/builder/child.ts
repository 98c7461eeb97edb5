import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builder } from './build.ts';
import { BuildFailure, RegistryUnavailable } from './failure.ts';
import { BuildJob, type BuildAnswer } from './builder-settings.ts';

/**
 * The process for untrusted code: it fetches, installs and compiles it, but does not run it. Started without environment variables; serves
 * the builds of one user, and ends with its parent.
 */
const builders = new Map<string, ReturnType<typeof builder>>();

async function answer(message: unknown): Promise<BuildAnswer> {
  const { settings, ...job } = BuildJob.parse(message);
  const key = JSON.stringify(settings);
  const build = builders.get(key) ?? builder(settings);
  builders.set(key, build);
  try {
    const { manifest, bundle, inputs } = await build(job);
    const path = join(settings.workDirectory, 'bundle.mjs');
    await writeFile(path, bundle);
    return { kind: 'built', manifest, inputs, path };
  } catch (error) {
    if (error instanceof BuildFailure) return { kind: 'failed', message: error.message };
    if (error instanceof RegistryUnavailable) return { kind: 'unavailable', message: error.message };
    return {
      kind: 'broken',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

process.on('message', (message) => {
  void answer(message).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => {
  rmSync(process.cwd(), { recursive: true, force: true });
  process.exit();
});
