import { readdirSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Spawner } from '../../../../infra/embedded/isolation/spawner.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { run, Runner } from '../../functions/runner/harness.ts';
import { availableLevels } from '../../../programs/attacks/levels.ts';
import { openTargets, type Targets } from '../../../programs/attacks/targets.ts';

/** The guards hold whatever a component does to the builtins of its process. */

const Found = z.object({ locations: z.number(), keys: z.number(), reached: z.array(z.string()) });

/** At level `sandbox` the system refuses, not the guards. */
const GUARDED = availableLevels.filter((level) => level !== 'sandbox').slice(-repetitions(1, 2));
const CASES = [
  { what: "the service's own port", allowPrivate: true, allowList: [], name: 'ownPort' },
  { what: 'a private address', allowPrivate: false, allowList: ['127.0.0.2/32'], name: 'serverPort' },
] as const;
/** `npm test` takes one. */
const TESTED = CASES.slice(-repetitions(1, CASES.length));

let targets: Targets;
let code: string;

beforeAll(async () => {
  targets = await openTargets();
  const { outputFiles } = await build({
    entryPoints: ['test/programs/attacks/patched/component.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
    logLevel: 'error',
  });
  code = outputFiles[0]?.text ?? '';
});
afterAll(() => targets.close());

for (const level of GUARDED) {
  describe(`${level}: no patched builtin opens`, () => {
    let spawner: Spawner;
    beforeAll(async () => {
      spawner = new Spawner(targets.spawnerProgram, { asked: level });
      expect(await spawner.level).toBe(level);
      spawner.setPorts({ ownPorts: [targets.target.ownPort], openPorts: [] });
    });
    afterAll(() => spawner.close());

    test.each(TESTED)('$what, nor files, sockets and processes', async ({ allowPrivate, allowList, name }) => {
      targets.reached.length = 0;
      const before = readdirSync(targets.target.folder);
      const runner = await Runner.start({
        processes: spawner,
        network: { allowPrivate, allowList: [...allowList] },
      });
      const event = {
        target: targets.target,
        port: targets.target[name],
        allowedHost: '127.0.0.2',
      };
      const outcome = await runner.run(code, {
        jobs: [run(event)],
        limits: { timeoutMs: 600_000, memoryMb: 2048 },
      });
      await runner.close();

      expect(outcome.ends, JSON.stringify(outcome.lines).slice(0, 2000)).toEqual(['ok']);
      const { locations, keys, reached } = Found.parse(outcome.events[0]);
      expect(reached).toEqual([]);
      expect(locations).toBeGreaterThan(4000);
      expect(keys).toBeGreaterThan(3000);
      expect(targets.reached).toEqual([]);
      expect(readdirSync(targets.target.folder)).toEqual(before);
      expect(readFileSync(targets.target.canary, 'utf8')).toBe('"canary"');
    });
  });
}
