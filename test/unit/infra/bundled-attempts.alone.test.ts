import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { functionsBuilds } from '../../../infra/bundle.ts';
import type * as deliverHttp from '../../../shared/aws/deliver-http.ts';
import { attemptOnce, noTargets } from '../../support/attempt-once.ts';
import { MALFORMED, MALFORMED_BODIES, MalformedResponses } from '../../support/malformed-responses.ts';

/**
 * Processor time in ms. The thread delivers nothing else while an attempt computes. Node computes an assertion's
 * message once for each place in the code, so only the first response of a kind shows the cost.
 */
const MAX_CPU_MS = 300;

const responses = { ...MALFORMED, ...MALFORMED_BODIES };
const names = Object.keys(responses);
const directory = mkdtempSync(join(tmpdir(), 'tributary-attempts-'));

let malformed: MalformedResponses;
let bundled: typeof deliverHttp;
let agent: ReturnType<typeof deliverHttp.createAgent>;

beforeAll(async () => {
  const [options] = functionsBuilds(directory);
  await build({ ...options, entryPoints: { attempts: 'shared/aws/deliver-http.ts' } });
  bundled = createRequire(import.meta.url)(join(directory, 'attempts.js')) as typeof deliverHttp;
  agent = bundled.createAgent({ allowPrivate: true, allowList: [] });
  malformed = await MalformedResponses.start(Object.values(responses));
});
afterAll(async () => {
  await agent.destroy();
  await malformed.stop();
  rmSync(directory, { recursive: true, force: true });
});

const attempt = (name: string) =>
  attemptOnce(bundled.createAttempter(agent, Date.now, noTargets), malformed.url(names.indexOf(name)));

describe('an attempt, bundled as functions are, that is answered with', () => {
  test.each(names)('%s ends without much ado', async (name) => {
    const before = process.cpuUsage();
    const { outcome, status, reason } = await attempt(name);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(MAX_CPU_MS);
    if (name in MALFORMED_BODIES) expect([outcome, status]).toEqual(['delivered', 200]);
    else expect([outcome, status, reason]).toEqual(['unreachable', undefined, expect.stringMatching(/./)]);
  });
});
