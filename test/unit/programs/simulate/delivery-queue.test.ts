import { describe, expect, test } from 'vitest';
import { Concurrency } from '../../../../infra/concurrency.ts';
import { simulateDeliveries } from '../../../programs/simulate/delivery-queue.ts';
import { fairOrder, oldestFirst } from '../../../programs/simulate/fair-order.ts';

type Neighbour = readonly [preset: 'small' | 'standard', busy: { rate: number; responseMs: number }];

const FAIR = { order: fairOrder, marksSlow: true };

/** A user with one delivery a second beside a busy one, for five minutes. */
function quietBeside([preset, busy]: Neighbour, queue: typeof FAIR) {
  const { deliveries: instances } = Concurrency.parse(preset);
  const user = { rate: 1, responseMs: 50 };
  return simulateDeliveries({ instances, user, neighbours: [busy], ...queue, seconds: 300 });
}

const NEIGHBOURS: readonly Neighbour[] = [
  ['standard', { rate: 600, responseMs: 1_000 }],
  ['small', { rate: 10, responseMs: 4_000 }],
];

describe.each(NEIGHBOURS)('on stage %s, with one batch per instance, beside a neighbour with %j', (...neighbour) => {
  test('a quiet user waits at most 5 s', () => {
    expect(quietBeside(neighbour, FAIR).p99).toBeLessThanOrEqual(5_000);
  });

  test('message groups are enough for that', () => {
    expect(quietBeside(neighbour, { ...FAIR, marksSlow: false }).p99).toBeLessThanOrEqual(5_000);
  });

  test('without both of them a quiet user would wait for a minute, and ever longer', () => {
    const { p99, firstQuarterP99 } = quietBeside(neighbour, { order: oldestFirst, marksSlow: false });
    expect(p99).toBeGreaterThan(50_000);
    expect(p99).toBeGreaterThan(1.5 * firstQuarterP99);
  });
});

test('deliveries of a slow webhook leave their instances to others: they take no attempt', () => {
  const neighbour: Neighbour = ['small', { rate: 10, responseMs: 4_000 }];
  expect(quietBeside(neighbour, { ...FAIR, marksSlow: false }).p50).toBeGreaterThan(1_000);
  for (const order of [fairOrder, oldestFirst])
    expect(quietBeside(neighbour, { order, marksSlow: true }).p50).toBeLessThan(150);
});

test('beside a neighbour for whom there are instances enough, no rule changes anything', () => {
  const neighbour: Neighbour = ['standard', { rate: 100, responseMs: 1_000 }];
  for (const order of [fairOrder, oldestFirst])
    expect(quietBeside(neighbour, { order, marksSlow: false }).p99).toBeLessThan(200);
});
