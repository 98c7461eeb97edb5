import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { faultKinds } from '../../infra/embedded/faults.ts';

const folder = join(inject('records'), 'faults');
const runs = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, number>,
);
const counts = faultKinds.map((kind) => ({
  kind,
  count: runs.reduce((sum, run) => sum + (run[kind] ?? 0), 0),
}));
console.table(counts);

/** A run with fewer than 20 faults of a kind shows nothing about that kind. */
test.each(counts)('$kind was injected at least 20 times', ({ count }) => {
  expect(count).toBeGreaterThanOrEqual(20);
});
