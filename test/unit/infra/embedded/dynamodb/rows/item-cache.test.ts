import { expect, test } from 'vitest';
import { ItemCache, PINNED } from '../../../../../../infra/embedded/dynamodb/rows/item-cache.ts';
import { type Row } from '../../../../../../infra/embedded/dynamodb/rows/row.ts';

const GENERATION_BYTES = 100_000;

function aRow(overrides: Partial<Row> = {}): Row {
  return {
    partition: 'p',
    sort: 's',
    size: 300,
    item: { pk: 'p', sk: 's' },
    generation: 0,
    expires: 0,
    ...overrides,
  };
}

const withItem = (rows: readonly Row[]) => rows.filter(({ item }) => item !== undefined);

test('however many items are used, two generations of them stay in memory, the latest ones', () => {
  const cache = new ItemCache(GENERATION_BYTES);
  const rows = Array.from({ length: 2_000 }, () => aRow());
  for (const row of rows) cache.use(row);
  const kept = withItem(rows);
  const bytes = kept.reduce((sum, { size }) => sum + 2 * size + 256, 0);
  expect(bytes).toBeGreaterThan(GENERATION_BYTES);
  expect(bytes).toBeLessThanOrEqual(2 * GENERATION_BYTES + 1_000);
  expect(kept).toEqual(rows.slice(-kept.length));
  expect(cache.size).toBe(kept.length);
});

test('an item that is used again and again stays', () => {
  const cache = new ItemCache(GENERATION_BYTES);
  const often = aRow();
  for (let n = 0; n < 2_000; n += 1) {
    cache.use(aRow());
    cache.use(often);
  }
  expect(often.item).toBeDefined();
});

test('rows that have left the table are not held, and push none out', () => {
  const cache = new ItemCache(GENERATION_BYTES);
  const stays = aRow();
  cache.use(stays);
  for (let n = 0; n < 2_000; n += 1) {
    const row = aRow();
    cache.use(row);
    cache.drop(row);
  }
  expect(stays.item).toBeDefined();
  expect(cache.size).toBe(1);
});

test('a row that leaves the table after its generation was turned over is not held either', () => {
  const cache = new ItemCache(GENERATION_BYTES);
  const first = aRow();
  cache.use(first);
  for (let n = 0; n < 130; n += 1) cache.use(aRow());
  const before = cache.size;
  cache.drop(first);
  expect(cache.size).toBe(before - 1);
});

test('a pinned item stays, whatever is used or dropped', () => {
  const cache = new ItemCache(GENERATION_BYTES);
  const pinned = aRow();
  cache.use(pinned);
  pinned.generation = PINNED;
  cache.drop(pinned);
  for (let n = 0; n < 2_000; n += 1) cache.use(aRow());
  expect(pinned.item).toBeDefined();
});

test('a large item is read from disk each time', () => {
  const cache = new ItemCache(GENERATION_BYTES);
  const large = aRow({ size: 20_000 });
  cache.use(large);
  expect([large.item, cache.size]).toEqual([undefined, 0]);
});
