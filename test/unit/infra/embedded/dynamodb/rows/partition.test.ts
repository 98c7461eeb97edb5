import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Partition, rowsOf } from '../../../../../../infra/embedded/dynamodb/rows/partition.ts';
import { firstIndex, lowerBound, type Row } from '../../../../../../infra/embedded/dynamodb/rows/row.ts';

const sortKey = (n: number) => `dl_${String(n).padStart(6, '0')}`;

function aRow(sort: string, overrides: Partial<Row> = {}): Row {
  return { partition: 'LOG#wh_1', sort, expires: 0, size: 300, item: undefined, generation: 0, ...overrides };
}

const cold = ({ sort, expires, size }: Row) => ({ sort, expires, size });

test('a partition has the rows that were put and not deleted, in order, whatever is packed meanwhile', () => {
  const change = fc.record({
    kind: fc.constantFrom('append', 'append', 'append', 'put', 'delete', 'delete last', 'cool'),
    at: fc.nat(9_999),
    count: fc.integer({ min: 1, max: 200 }),
    cached: fc.boolean(),
    wide: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), (changes) => {
      const partition = new Partition('LOG#wh_1', { packs: true });
      const model = new Map<string, Row>();
      let next = 10_000;
      let version = 0;
      const put = (sort: string, isCached: boolean) => {
        version += 1;
        const row = aRow(sort, { size: version, expires: version * 7, item: isCached ? {} : undefined });
        expect(partition.put(row)?.size).toBe(model.get(sort)?.size);
        model.set(sort, row);
      };
      for (const { kind, at, count, cached, wide } of changes) {
        const keys = Array.from({ length: count }, (_, n) => sortKey((at + 37 * n) % 10_000));
        const stored = [...model.keys()];
        if (kind === 'append')
          for (let n = 0; n < count; n += 1) put(`${sortKey((next += 1))}${wide ? 'é💩' : ''}`, cached);
        else if (kind === 'put') for (const key of keys) put(stored[at % (stored.length + 1)] ?? key, cached);
        else if (kind === 'cool') for (const row of model.values()) row.item = undefined;
        else
          for (const key of kind === 'delete'
            ? stored.slice(at % (stored.length + 1)).slice(0, count)
            : stored.sort().slice(-count)) {
            expect(partition.delete(key)?.size).toBe(model.get(key)?.size);
            model.delete(key);
          }
        const middle = partition.length >>> 1;
        expect(partition.at(middle)?.sort).toBe([...model.keys()].sort()[middle]);
      }
      const expected = [...model.values()].sort((a, b) => (a.sort < b.sort ? -1 : 1));
      expect(partition.length).toBe(expected.length);
      expect(rowsOf(partition).map(cold)).toEqual(expected.map(cold));
      for (const [index, row] of expected.entries()) {
        expect(partition.get(row.sort)?.size).toBe(row.size);
        expect(lowerBound(partition, row.sort)).toBe(index);
      }
      expect(partition.get('dl_')).toBeUndefined();
      expect(partition.at(expected.length)).toBeUndefined();
      expect(firstIndex(partition, (sort) => sort > '~')).toBe(expected.length);
      const due = expected.filter(({ expires }) => expires >= 700 && expires < 2_100);
      expect(partition.expiring(700, 2_100).map(cold)).toEqual(due.map(cold));
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('a row stays itself while its item is in the cache', () => {
  const partition = new Partition('LOG#wh_1', { packs: true });
  const kept = aRow(sortKey(5), { item: {} });
  partition.put(kept);
  for (let n = 6; n < 1_000; n += 1) partition.put(aRow(sortKey(n)));
  expect(partition.get(kept.sort)).toBe(kept);
});

test('a partition that keeps previous versions packs nothing', () => {
  const partition = new Partition('LOG#wh_1', { packs: false });
  const first = aRow(sortKey(0));
  partition.put(first);
  for (let n = 1; n < 1_000; n += 1) partition.put(aRow(sortKey(n)));
  expect(partition.get(first.sort)).toBe(first);
});

test('a partition takes new rows after its last ones were deleted', () => {
  const partition = new Partition('LOG#wh_1', { packs: true });
  for (let n = 0; n < 300; n += 1) partition.put(aRow(sortKey(n)));
  // The leaves begin at 0, 128 and 256.
  for (let n = 256; n < 300; n += 1) partition.delete(sortKey(n));
  partition.put(aRow(sortKey(300)));
  expect(rowsOf(partition).map(({ sort }) => sort)).toEqual(
    [...Array.from({ length: 256 }, (_, n) => n), 300].map(sortKey),
  );
});
