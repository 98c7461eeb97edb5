import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { weatherKinds } from '../../infra/embedded/weather.ts';

const folder = join(inject('assembly'), 'weather');
const runs = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, number>,
);
const counts = weatherKinds.map((kind) => ({
  kind,
  count: runs.reduce((sum, run) => sum + (run[kind] ?? 0), 0),
}));
console.table(counts);

/** A run in which a kind of unkindness did not happen at least 20 times has shown nothing about it. */
test.each(counts)('$kind struck at least 20 times', ({ count }) => {
  expect(count).toBeGreaterThanOrEqual(20);
});
