import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { priceOf } from '../../../../bin/admin/commands/usage-price.ts';

const NONE = { runs: 0, events: 0, errors: 0, delivered: 0, failed: 0, computeMs: 0, payloadBytes: 0 };
const costs = readFileSync('docs/costs.md', 'utf8');
/** US dollars per million in the table of docs/costs.md. */
const documented = (event: string) => {
  const row = costs.split('\n').find((line) => line.startsWith(`| ${event} |`)) ?? '';
  return Number(/\*\*\$([\d.]+)\*\*/.exec(row)?.[1]);
};

test.each([
  ['an order of 160 bytes to 1 webhook, batches of one', 1],
  ['an order of 160 bytes to 10 webhooks, batches of one', 10],
])('an estimate has the price of docs/costs.md, within 1 %%: %s', (event, delivered) => {
  const estimated = priceOf({ ...NONE, runs: 1, events: 1, delivered }) * 1e6;
  expect(Math.abs(estimated / documented(event) - 1)).toBeLessThan(0.01);
});

test('a poll of 3 s every minute costs about what docs/costs.md says of it', () => {
  const month = (365 / 12) * 24 * 60;
  const row = costs.split('\n').find((line) => line.startsWith('| every minute |')) ?? '';
  const estimated = priceOf({ ...NONE, runs: month, computeMs: 3_000 * month });
  expect(Math.abs(estimated / Number(/\*\*\$([\d.]+)\*\*/.exec(row)?.[1]) - 1)).toBeLessThan(0.05);
});

test('each count has a price', () => {
  for (const name of Object.keys(NONE)) expect(priceOf({ ...NONE, [name]: 1 }), name).toBeGreaterThan(0);
});
