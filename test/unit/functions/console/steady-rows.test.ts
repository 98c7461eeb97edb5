import { describe, expect, test } from 'vitest';
import { steadyRows } from '../../../../functions/console/app/steady/steady-rows.ts';

interface Row {
  id: string;
  text?: string;
}

const rowsOf = (ids: string): Row[] => [...ids].map((id) => ({ id }));
const steady = (shown: string, current: string) => {
  const { rows, gone, waiting } = steadyRows({
    shown: rowsOf(shown),
    current: rowsOf(current),
    idOf: ({ id }) => id,
  });
  return [rows.map(({ id }) => id).join(''), [...gone].join(''), waiting];
};

describe('rows of a list that stands still', () => {
  test.each([
    ['the same rows', 'cba', 'cba', ['cba', '', 0]],
    ['new rows above wait', 'cba', 'edcba', ['cba', '', 2]],
    ['new rows between wait', 'ca', 'cba', ['ca', '', 1]],
    ['new rows below come', 'dc', 'dcba', ['dcba', '', 0]],
    ['rows that left keep their places', 'cba', 'ca', ['cba', 'b', 0]],
    ['a row that moved keeps its place', 'cba', 'acb', ['cba', '', 0]],
    ['a stream that went on by a whole page waits', 'cba', 'fed', ['cba', 'cba', 3]],
    ['an empty list takes every row', '', 'cba', ['cba', '', 0]],
  ])('%s', (_, shown, current, expected) => {
    expect(steady(shown, current)).toEqual(expected);
  });

  test('have their newest data, unless these make them higher', () => {
    const rows = { shown: [{ id: 'a', text: 'old' }], current: [{ id: 'a', text: 'new' }] };
    const idOf = ({ id }: Row): string => id;
    expect(steadyRows({ ...rows, idOf }).rows).toEqual(rows.current);
    expect(steadyRows({ ...rows, idOf, keepsData: true }).rows).toEqual(rows.shown);
  });
});
