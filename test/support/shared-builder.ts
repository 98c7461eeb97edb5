import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import * as z from 'zod';
import type { Cloud } from '../../infra/embedded/cloud.ts';
import type { Handler } from '../../infra/embedded/lambda/code.ts';
import { functionError } from '../../infra/embedded/lambda/outcome.ts';
import type { Assembly } from '../../infra/embedded/open-cloud.ts';
import { loadFunction, processesIn } from './load-function.ts';

/** All builds are of one user: a builder has a process for each. */
const OWNER = 'u_tests';
const Event = z.looseObject({ ownerId: z.string() });

/** By folder, environment and certificates: a file that shares this process may have called `trustRegistry`. */
const builders = new Map<string, Handler>();

/**
 * Gives a cloud the builder of this process of tests. A cloud's own one starts a process and a compiler for each user,
 * which takes longer than many tests.
 */
export function shareBuilder({ functions }: Cloud, { assets }: Assembly): void {
  for (const host of functions.values()) {
    const folder = assets.get(host.spec.assetKey) ?? '';
    if (!folder.endsWith(join('functions', 'builder'))) continue;
    const build = builderIn(folder, host.spec.environment);
    host.invoke = async ({ event }) => {
      host.running += 1;
      try {
        return { ok: true, value: await build({ ...Event.parse(event), ownerId: OWNER }) };
      } catch (thrown) {
        return { ok: false, error: functionError(thrown) };
      } finally {
        host.running -= 1;
      }
    };
  }
}

function builderIn(folder: string, environment: Readonly<Record<string, string>>): Handler {
  const key = JSON.stringify([folder, environment, process.env['NODE_EXTRA_CA_CERTS']]);
  const known = builders.get(key);
  if (known) return known;
  // The end of the run removes it, because a signal ends a process of tests.
  const directory = join(inject('records'), 'builders');
  mkdirSync(directory, { recursive: true });
  const { handler } = loadFunction(folder, {
    environment: { ...process.env, ...environment },
    processes: processesIn(directory),
  });
  builders.set(key, handler);
  return handler;
}
