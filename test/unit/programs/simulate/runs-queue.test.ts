import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { backlogScenarios, backlogTable } from '../../../programs/simulate/backlog-scenarios.ts';
import { Group, GroupQueue, WINDOW } from '../../../programs/simulate/group-queue.ts';
import { simulateRuns } from '../../../programs/simulate/runs-queue.ts';

/** docs/scale.md: the second table of `npm run simulate`. */

describe('the simulated queue', () => {
  test('gives a group to one batch at a time, in order, and then other groups', () => {
    const queue = new GroupQueue();
    const [first, second] = [new Group(), new Group()];
    for (let n = 0; n < 12; n += 1) queue.send(first, n);
    queue.send(second, 12);
    const batch = queue.receive(20);
    expect(batch.map(({ sentAt }) => sentAt)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const rest = queue.receive(20);
    expect(rest.map(({ group }) => group)).toEqual([second]);
    queue.giveBack(batch.slice(1), 30);
    for (const message of batch.slice(0, 1)) queue.delete(message);
    expect(queue.receive(29)).toEqual([]);
    expect(queue.receive(30).map(({ sentAt }) => sentAt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('looks for messages only among its oldest 120,000, those in flight included', () => {
    const queue = new GroupQueue();
    const [behind, other] = [new Group(), new Group()];
    for (let n = 0; n < WINDOW; n += 1) queue.send(behind, 0);
    queue.send(other, 0);
    const batch = queue.receive(0);
    expect(queue.receive(0)).toEqual([]);
    for (const message of batch.slice(0, 1)) queue.delete(message);
    expect(queue.receive(0).map(({ group }) => group)).toEqual([other]);
  });
});

describe('beside three users who are behind', () => {
  const results = backlogScenarios.map(simulateRuns);
  const all = backlogScenarios.flatMap((scenario, index) => {
    const runs = results[index];
    return runs ? [{ scenario, runs }] : [];
  });
  const isOfNobody = ({ scenario }: (typeof all)[number]) => scenario.behind.codeMs < 1_000;
  const behind = all.filter((each) => !isOfNobody(each));
  const alone = (stage: string) => all.find((each) => isOfNobody(each) && each.scenario.stage === stage)?.runs.p99 ?? 0;

  test.each(behind.filter(({ scenario }) => scenario.hasBacklog))(
    'with backlogs the p99 of others does not move: $scenario.stage, $scenario.load',
    ({ scenario, runs }) => {
      // `small` has one instance left of two.
      const most = scenario.concurrency.runs === 2 ? 1.6 : 1.2;
      expect(runs.p99).toBeLessThanOrEqual(most * alone(scenario.stage));
      expect(runs.mostMessages).toBeLessThan(WINDOW);
      expect(runs.ranBehind, 'and they get on').toBeGreaterThan(0);
    },
  );

  test.each(behind.filter(({ scenario }) => !scenario.hasBacklog))(
    'without them others wait for minutes: $scenario.stage, $scenario.load',
    ({ scenario, runs }) => {
      expect(runs.p99).toBeGreaterThan(scenario.behind.waiting > 0 ? 180_000 : 60_000);
      expect(runs.mostMessages).toBeGreaterThan(WINDOW);
    },
  );

  test.each([5_000, 20_000, 50_000])(
    'one source with a long run each second, of %i ms, lets no other source on `small` wait or refuse',
    (codeMs) => {
      const small = all.find((each) => isOfNobody(each) && each.scenario.concurrency.runs === 2);
      expect(small).toBeDefined();
      if (!small) return;
      const { runs: quiet, scenario } = small;
      const runs = simulateRuns({ ...scenario, behind: { sources: 1, rate: 1, codeMs, waiting: 0 } });
      expect(runs.moved, 'it is behind').toBeGreaterThan(100);
      expect(runs.p99).toBeLessThanOrEqual(1.5 * quiet.p99);
      expect([runs.refused, runs.sent - runs.ran < 3]).toEqual([0, true]);
    },
  );

  test('slices on all instances of `small` would let others wait for a slice', () => {
    const small = behind.find(({ scenario }) => scenario.hasBacklog && scenario.concurrency.runs === 2);
    expect(small).toBeDefined();
    if (!small) return;
    const { p99 } = simulateRuns({ ...small.scenario, slices: 2, seconds: 60 });
    expect(p99).toBeGreaterThan(5_000);
  });

  test('docs/scale.md has the table of this simulation', () => {
    expect(readFileSync('docs/scale.md', 'utf8'), 'npm run simulate -- --write').toContain(
      `\n${backlogTable(results)}\n`,
    );
  });
});
