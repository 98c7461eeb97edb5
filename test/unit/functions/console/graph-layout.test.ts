import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../../../functions/console/app/pages/subscriptions/graph-layout.ts';

const edge = (text: string) => {
  const [from = '', to = ''] = text.split('>');
  return { from, to };
};
const columnsOf = (...edges: string[]) =>
  Object.fromEntries(layoutOf(edges.map(edge)).nodes.map(({ id, column }) => [id, column]));

describe('the layout of the graph', () => {
  test('places a listener after all of its emitters', () => {
    expect(columnsOf('a>b', 'b>c', 'a>c')).toEqual({ a: 0, b: 1, c: 2 });
  });

  test('gives each node a place of its own', () => {
    const { nodes, rows, columns } = layoutOf(['a>x', 'b>x', 'b>y', 'x>z'].map(edge));
    const locations = nodes.map(({ column, row }) => `${column} ${row}`);
    expect(new Set(locations).size).toBe(nodes.length);
    expect([columns, rows]).toEqual([3, 2]);
  });

  test('ends for cycles and for a subscription to itself', () => {
    expect(Object.keys(columnsOf('a>b', 'b>a', 'c>c'))).toHaveLength(3);
  });

  test('shows several streams between the same two as one line', () => {
    expect(layoutOf(['a>b', 'a>b'].map(edge)).edges).toHaveLength(1);
  });

  test('of nothing is empty', () => {
    expect(layoutOf([])).toEqual({ nodes: [], edges: [], columns: 0, rows: 0 });
  });
});
