import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LEVELS } from '../../../../infra/embedded/isolation/levels.ts';
import { Spawner } from '../../../../infra/embedded/isolation/spawner.ts';
import { freePort } from '../../../support/free-port.ts';
import { until } from '../../../support/until.ts';
import { REACHED, type WallTarget } from '../../../programs/attacks/attack.ts';
import { availableLevels } from '../../../programs/attacks/levels.ts';
import { processesWith, startProbe } from '../../../programs/attacks/probe.ts';
import { openTargets, type Targets } from '../../../programs/attacks/targets.ts';
import { type WallAttack, wallFiles } from '../../../programs/attacks/wall.ts';
import { wallLeftovers } from '../../../programs/attacks/wall-leftovers.ts';
import { wallNetwork } from '../../../programs/attacks/wall-network.ts';
import { wallProcesses } from '../../../programs/attacks/wall-processes.ts';

/**
 * The levels without their inner layer: code that got around Node's permission model and the guards, as native code
 * can.
 */

const ROWS: readonly WallAttack[] = [...wallFiles, ...wallProcesses, ...wallNetwork, ...wallLeftovers];

let targets: Targets;
beforeAll(async () => {
  process.env['CANARY_KEY'] = 'canary-key';
  targets = await openTargets();
});
afterAll(() => targets.close());

/** Makes all attempts one after the other and prints the response of each. */
const program = (target: WallTarget) => `
const target = ${JSON.stringify(target)};
const attempts = [${ROWS.map(({ code }) => `async () => (${code})`).join(',\n')}];
(async () => {
  for (const attempt of attempts) {
    let outcome;
    try { outcome = await attempt(); } catch (error) { outcome = error.info?.code ?? error.code ?? error.message; }
    say(String(outcome));
  }
})();`;

for (const level of LEVELS) {
  describe.runIf(availableLevels.includes(level))(`${level}: native code cannot`, () => {
    let spawner: Spawner;
    let folder: string;
    const got = new Map<string, string>();

    beforeAll(async () => {
      spawner = new Spawner(targets.spawnerProgram, { asked: level });
      expect(await spawner.level).toBe(level);
      spawner.setPorts({ ownPorts: [targets.target.ownPort], openPorts: [] });
      folder = spawner.directory('wall-');
      const other = await startProbe(spawner, folder, `say('ready');`);
      await other.next();
      const neighbour = join(other.tmp, 'file');
      writeFileSync(neighbour, 'canary');
      const chain = join(folder, 'chain');
      mkdirSync(chain);
      const target: WallTarget = {
        ...targets.target,
        neighbour,
        other: await until('the process id', () => other.process.pid),
        spawner: processesWith(targets.spawnerProgram)[0] ?? 0,
        chain,
        freePort: await freePort(),
      };
      // The attempts do not wait for the questions below: a packet may arrive before its attempt is asked for.
      const { reached } = targets;
      reached.length = 0;
      const { next, process: probe, tmp } = await startProbe(spawner, folder, program(target), [chain]);
      for (const { attempt, outside } of ROWS) {
        const outcome = String(await next());
        got.set(attempt, outside ? await outside(outcome, { target, reached }) : outcome);
      }
      probe.kill();
      await probe.ended;
      // The spawner removes its directory once it has ended what the process left behind.
      await until('the end of what it left', () => !existsSync(dirname(tmp)));
      for (const { attempt, afterwards } of ROWS) {
        if (afterwards) got.set(attempt, await afterwards(got.get(attempt) ?? '', { target, reached }));
      }
    });
    afterAll(() => spawner.close());

    test.for(ROWS)('$attempt', ({ attempt, outcome, native, dependsOnMachine }, { skip }) => {
      if (native === true && process.arch !== 'x64') skip('machine code of another processor');
      if (dependsOnMachine === true && outcome[level] === REACHED) return;
      expect(got.get(attempt)).toBe(outcome[level]);
    });
  });
}
