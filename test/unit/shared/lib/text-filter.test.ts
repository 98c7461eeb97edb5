import { expect, test } from 'vitest';
import { textFilter } from '../../../../shared/lib/text-filter.ts';

const items: (string | null | undefined)[][] = [
  ['Straße', null],
  [undefined, 'wh_1'],
  ['ÄPFEL', 'apples'],
];
const found = (q: string) => items.filter(textFilter(q, (texts: (typeof items)[number]) => texts) ?? (() => true));

test.each([
  ['STRASS', []],
  ['traSSE', []],
  ['raß', [items[0]]],
  ['WH_', [items[1]]],
  ['äpfel', [items[2]]],
  ['app les', []],
  ['e', [items[0], items[2]]],
])('%j is found in any text of an item, ignoring case, as it stands', (q, expected) => {
  expect(found(q)).toEqual(expected);
});

test('without a text there is no filter', () => {
  expect(textFilter(undefined, () => [])).toBeUndefined();
});
