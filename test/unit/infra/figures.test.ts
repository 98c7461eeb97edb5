import { describe, expect, test } from 'vitest';
import { figures } from '../../../infra/figures.ts';

const { functions, queues } = figures;

/** design.md, "Figures that belong together". */
describe('figures that belong together', () => {
  test('a run fits the runner, the runner fits run-source, run-source fits the visibility of its queue', () => {
    expect(figures.longestRun).toBeLessThan(functions.runner.timeout);
    expect(functions.runner.timeout).toBeLessThan(functions['run-source'].timeout);
    expect(functions['run-source'].timeout).toBeLessThan(queues.runs.visibility);
  });

  test('a trigger that starts last still ends within the runner', () => {
    expect(figures.lastStart).toBeGreaterThan(figures.longestRun);
    expect(figures.lastStart).toBeLessThan(functions.runner.timeout);
  });

  test.each([
    ['deliveries', 'deliver-event'],
    ['retries', 'retry-delivery'],
    ['timers', 'timers'],
  ] as const)('messages of %s stay hidden while %s works', (queue, worker) => {
    expect(queues[queue].visibility).toBeGreaterThan(functions[worker].timeout);
  });

  test('API functions end before API Gateway gives up, and after our own 28 s', () => {
    for (const { timeout } of [functions.api, functions.ingress]) {
      expect(timeout).toBeLessThan(30);
      expect(timeout).toBeGreaterThan(28);
    }
  });

  test('a trigger is brought back at least 20 times before it rests among the dead letters', () => {
    expect(queues.runs.maxReceiveCount).toBeGreaterThanOrEqual(20);
  });
});
