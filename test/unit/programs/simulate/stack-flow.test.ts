import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { eventsPerSecond } from '../../../../infra/capacity.ts';
import { Stage } from '../../../../infra/stage.ts';
import { perBatch, pricePerMillionAt, scenarios, simulationTable } from '../../../programs/simulate/scenarios.ts';
import { type FlowOptions, runMs, simulateFlow } from '../../../programs/simulate/stack-flow.ts';

/** docs/scale.md: the table of `npm run simulate`. */

const { concurrency } = Stage.parse({ concurrency: 'standard' });
const OPEN = { rate: 1e6, burst: 1e6 };
const steady = (rate: number, sources: number, options: Partial<FlowOptions> = {}) =>
  simulateFlow({ phases: [{ rate, seconds: 10 }], sources, concurrency, throttle: OPEN, ...options });

describe.each(scenarios)('$load with $stage', (options) => {
  const flow = simulateFlow(options);
  const offered = options.phases.reduce((sum, { rate, seconds }) => sum + rate * seconds, 0);

  test('every request is refused, or becomes one run and one delivery', () => {
    expect(flow.accepted + flow.refused).toBe(offered);
    expect([flow.runs.messages, flow.deliveries.messages, flow.delivered]).toEqual([
      flow.accepted,
      flow.accepted,
      flow.accepted,
    ]);
  });

  test("Little's law: events in the system are their rate times their time in it", () => {
    const [inSystem, rate, ms] = [
      flow.inSystemMs / flow.endedAtMs,
      flow.accepted / flow.endedAtMs,
      flow.waitedMs / flow.accepted,
    ];
    expect(inSystem).toBeCloseTo(rate * ms, 6);
  });

  test('no more batches are under way than the stage has instances', () => {
    const { runs, runnersPerBatch, deliveries } = options.concurrency;
    expect(flow.runs.mostBusy).toBeLessThanOrEqual(Math.min(options.sources, runs * runnersPerBatch));
    expect(flow.deliveries.mostBusy).toBeLessThanOrEqual(deliveries);
    expect(flow.deliveries.busyMs / flow.endedAtMs).toBeLessThanOrEqual(deliveries);
  });
});

test('more load makes queues no shorter, the whole price no lower and that of an event no higher', () => {
  const flows = [10, 50, 200, 1_000, 4_000].map((rate) => ({ rate, flow: steady(rate, 50) }));
  const rising = (values: readonly number[]) => expect(values).toEqual(values.toSorted((a, b) => a - b));
  rising(flows.map(({ flow }) => flow.runs.mostWaiting));
  rising(flows.map(({ flow }) => flow.inSystemMs / flow.endedAtMs));
  const prices = flows.map(({ flow }) => pricePerMillionAt(perBatch(flow)));
  rising(prices.toReversed());
  rising(flows.map(({ rate }, n) => rate * (prices[n] ?? 0)));
});

test('a throttle accepts its burst and then its rate', () => {
  const { accepted, refused } = steady(100, 10, { throttle: { rate: 45, burst: 90 } });
  expect(accepted).toBeGreaterThanOrEqual(90 + 45 * 10 - 1);
  expect(accepted).toBeLessThanOrEqual(90 + 45 * 10);
  expect(accepted + refused).toBe(1_000);
});

test('a source runs about 92 events a second, and the presets run what infra/capacity.ts says', () => {
  expect(10_000 / runMs(10)).toBeCloseTo(92, 0);
  for (const name of ['small', 'standard']) {
    const preset = Stage.parse({ concurrency: name }).concurrency;
    const runs = (preset.runs * preset.runnersPerBatch * 1_000) / runMs(1);
    expect(runs / eventsPerSecond(preset)).toBeCloseTo(1, 1);
  }
  const hot = steady(200, 1);
  expect((hot.accepted / hot.endedAtMs) * 1_000).toBeCloseTo(92, -1);
});

test('the price is that of docs/costs.md for batches of one and of ten', () => {
  const page = readFileSync('docs/costs.md', 'utf8');
  for (const [batches, messages] of [
    ['one', 1],
    ['ten', 10],
  ] as const) {
    const row = page
      .split('\n')
      .find((line) => line.startsWith(`| an order of 160 bytes to 1 webhook, batches of ${batches} |`));
    expect(row).toContain(`**$${pricePerMillionAt(messages).toFixed(2)}**`);
  }
});

test('docs/scale.md has the table of this simulation', () => {
  expect(readFileSync('docs/scale.md', 'utf8'), 'npm run simulate -- --write').toContain(`\n${simulationTable()}\n`);
});
