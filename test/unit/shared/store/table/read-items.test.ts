import { expect, test } from 'vitest';
import * as z from 'zod';
import type { UnreadableItem } from '../../../../../shared/domain/unreadable.ts';
import { readItems, readList } from '../../../../../shared/store/table/read-items.ts';

const Item = z.object({ n: z.number() });
const items = [{ n: 1 }, { id: 'wh_1', n: 'a secret' }, { pk: 'STREAM#dc_1#a', sk: '7', n: 'a secret' }, { n: 2 }];
const parse = (item: unknown) => Item.parse(item).n;

test('an item that cannot be read is reported by its id, or its key, without its content, and the others are read', () => {
  const reported: UnreadableItem[] = [];
  expect(readItems({ onUnreadable: (item) => void reported.push(item) }, items, parse)).toEqual([1, 2]);
  expect(reported.map(({ id }) => id)).toEqual(['wh_1', 'STREAM#dc_1#a 7']);
  expect(JSON.stringify(reported)).not.toContain('a secret');
});

test('without somebody to report to, the error of the first one is thrown', () => {
  expect(() => readItems({}, items, parse)).toThrow(z.ZodError);
});

test('an error that says nothing about the item is thrown', () => {
  const failing = () => {
    throw new Error('no memory');
  };
  expect(() => readItems({ onUnreadable: () => undefined }, items, failing)).toThrow('no memory');
});

test('a long list leaves the thread to other work after a few ms', async () => {
  const burn = (item: unknown) => {
    for (const end = performance.now() + 2; performance.now() < end;);
    return parse(item);
  };
  let others = 0;
  let isOver = false;
  const other = () => {
    others += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const numbers = Array.from({ length: 20 }, (_, n) => ({ n }));
  expect(await readList({}, numbers, burn)).toEqual(numbers.map(({ n }) => n));
  isOver = true;
  expect(others).toBeGreaterThanOrEqual(5);
});
