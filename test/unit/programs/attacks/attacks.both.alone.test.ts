import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Spawner } from '../../../../infra/embedded/isolation/spawner.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { Runner, source } from '../../functions/runner/harness.ts';
import { outcomeAt, type Attack } from '../../../programs/attacks/attack.ts';
import { codeCaches, environment } from '../../../programs/attacks/environment.ts';
import { files } from '../../../programs/attacks/files.ts';
import { testedLevels } from '../../../programs/attacks/levels.ts';
import { network } from '../../../programs/attacks/network.ts';
import { processes } from '../../../programs/attacks/process.ts';
import { openTargets, type Targets } from '../../../programs/attacks/targets.ts';

/** Every attempt of docs/isolation.md, at every level of this machine. */

/** `npm test` makes a sample of the attempts. */
const ROWS: readonly Attack[] = [...files, ...environment, ...processes, ...codeCaches, ...network].filter(
  (_, index) => index % repetitions(9, 1) === 0,
);

let targets: Targets;

beforeAll(async () => {
  targets = await openTargets();
  process.env['CANARY_KEY'] = 'canary-key';
});
afterAll(() => targets.close());

/** A component that makes the attempt and emits what it got. */
const component = ({ code }: Attack) =>
  source(
    `async run() {
      const target = ${JSON.stringify(targets.target)};
      let got;
      try { got = await (${code}); } catch (error) { got = error.cause?.code ?? error.code ?? error.message; }
      this.$emit({ got: String(got) });
    }`,
    `import fs from 'node:fs'; import http from 'node:http'; import net from 'node:net'; import os from 'node:os';
     import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
  );

for (const level of testedLevels) {
  describe(`${level}: a component cannot`, () => {
    let spawner: Spawner;
    let runner: Runner;
    let closed: Runner;
    beforeAll(async () => {
      spawner = new Spawner(targets.spawnerProgram, { asked: level });
      expect(await spawner.level).toBe(level);
      spawner.setPorts({ ownPorts: [targets.target.ownPort], openPorts: [] });
      const env = { AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${targets.target.runtimePort}` };
      runner = await Runner.start({ processes: spawner, env });
      closed = await Runner.start({
        processes: spawner,
        env,
        network: { allowPrivate: false, allowList: [] },
      });
    });
    afterAll(async () => {
      await runner.close();
      await closed.close();
      await spawner.close();
    });

    test.each(ROWS)('$attempt', async (attack) => {
      targets.reached.length = 0;
      const outcome = await (attack.publicOnly === true ? closed : runner).run(component(attack));

      expect(outcome.events, JSON.stringify(outcome.lines)).toEqual([{ got: outcomeAt(attack, level) }]);
      expect(targets.reached.filter((name) => name !== 'runtime' || level !== 'sandbox')).toEqual([]);
      expect(readFileSync(targets.target.canary, 'utf8')).toBe('"canary"');
    });
  });
}
