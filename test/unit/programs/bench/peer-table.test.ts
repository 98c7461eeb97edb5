import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type PeerRounds, peerRows, rateRows, withTable } from '../../../programs/bench/peers/peer-table.ts';

const measured = (name: string, webhooks: number, eventsPerSecond: number): PeerRounds => ({
  name,
  webhooks,
  rounds: [{ eventsPerSecond, processorUs: 100_000 / eventsPerSecond, p50Ms: 7, p99Ms: 20 }],
  mb: 180,
});

test('a program is compared with Node-RED at the same number of webhooks', () => {
  const rows = peerRows([
    measured('Tributary', 1, 1_500),
    measured('Node-RED', 1, 1_000),
    measured('Tributary', 10, 300),
    measured('Node-RED', 10, 100),
  ]);
  expect(rows[0]).toMatchObject({ 'deliveries/s': '1500', '× Node-RED': '1.50 (1.50–1.50)' });
  expect(rows[2]).toMatchObject({ 'deliveries/s': '3000', '× Node-RED': '3.00 (3.00–3.00)' });
  expect(rows[2]).toMatchObject({ 'µs × Node-RED': '0.33 (0.33–0.33)' });
});

test('a program is compared with Node-RED at the same rate', () => {
  const atRate = (name: string, rate: number, processorUs: number) => ({
    name,
    rate,
    rounds: [{ eventsPerSecond: rate, processorUs, p50Ms: 3, p99Ms: 8 }],
  });
  const rows = rateRows([
    atRate('Tributary', 10, 3_000),
    atRate('Node-RED', 10, 2_000),
    atRate('Tributary', 50, 1_000),
    atRate('Node-RED', 50, 2_000),
  ]);
  expect(rows[0]).toMatchObject({ 'ms of processor time per event': '3.00', 'ms × Node-RED': '1.50 (1.50–1.50)' });
  expect(rows[2]).toMatchObject({ 'events/s': '50', 'ms × Node-RED': '0.50 (0.50–0.50)' });
});

test('docs/benchmarks.md takes a new table, and nothing else of the page changes', () => {
  const page = readFileSync('docs/benchmarks.md', 'utf8');
  const written = withTable(page, 'peers', peerRows([measured('Node-RED', 1, 1_234)]));
  expect(written).toContain('| 1 | Node-RED | 1234 |');
  const around = (text: string) => text.split(/<!-- .* -->/).toSpliced(1, 1);
  expect(around(written)).toEqual(around(page));
  expect(withTable(written, 'peers', peerRows([measured('Node-RED', 1, 1_234)]))).toBe(written);
});

test('a page without a position for the table is refused', () => {
  expect(() => withTable('# Benchmarks', 'peers', [])).toThrow(/lacks/);
});
