import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Spawner } from '../../../../infra/embedded/isolation/spawner.ts';
import { until } from '../../../support/until.ts';
import { run, Runner, source } from '../../functions/runner/harness.ts';
import { outcomeAt } from '../../../programs/attacks/attack.ts';
import { testedLevels } from '../../../programs/attacks/levels.ts';
import { floods, leftovers, type ResourceAttack, runEnds } from '../../../programs/attacks/resources.ts';
import { openTargets, type Targets } from '../../../programs/attacks/targets.ts';

/** Runs that take more than their share, at every level. */

let targets: Targets;
beforeAll(async () => {
  targets = await openTargets();
});
afterAll(() => targets.close());

const component = ({ body }: ResourceAttack) =>
  source(
    `async run(event) {
      const target = ${JSON.stringify(targets.target)};
      this.$emit(process.cwd());
      if (event === 'ordinary') return;
      ${body}
    }`,
    `import fs from 'node:fs'; import net from 'node:net'; import dgram from 'node:dgram';`,
  );

const limitsOf = (end: string) => ({
  timeoutMs: end === 'timeout' ? 1500 : 60_000,
  // A flood of microtasks also takes memory.
  memoryMb: end === 'out_of_memory' ? 96 : 512,
});

for (const level of testedLevels) {
  describe(`${level}: a component cannot`, () => {
    let spawner: Spawner;
    let runner: Runner;
    beforeAll(async () => {
      spawner = new Spawner(targets.spawnerProgram, { asked: level });
      runner = await Runner.start({ processes: spawner });
    });
    afterAll(async () => {
      await runner.close();
      await spawner.close();
    });

    test.each([...runEnds, ...floods])('$attempt', async (attack) => {
      const end = outcomeAt(attack, level);
      const outcome = await runner.run(component(attack), {
        limits: limitsOf(end),
        jobs: [run('attack'), run('ordinary')],
      });

      expect(outcome.ends).toEqual([end, 'ok']);
    });

    test.each(leftovers)('$attempt', async (attack) => {
      const code = component(attack);
      const first = await runner.run(code, { jobs: [run('attack')] });
      expect(first.ends).toEqual(['ok']);
      const directory = String(first.events[0]);
      await until('the process has ended', () => !existsSync(directory));

      const second = await runner.run(code, { jobs: [run('ordinary')] });
      expect(second.ends).toEqual(['ok']);
      expect(second.events).not.toEqual(first.events);
    });
  });
}
