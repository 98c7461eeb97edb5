import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../../../functions/console/app/pages/subscriptions/graph-layout.ts';

const edge = (text: string) => {
  const [from = '', to = ''] = text.split('>');
  return { from, to };
};
const columnsOf = (...edges: string[]) =>
  Object.fromEntries(layoutOf(edges.map(edge)).nodes.map(({ id, column }) => [id, column]));

/** Boxes in these rows do not lie over each other. */
function expectApart(rows: readonly number[]): void {
  const sorted = rows.toSorted((a, b) => a - b);
  for (const [n, row] of sorted.slice(1).entries()) expect(row - (sorted[n] ?? 0)).toBeGreaterThan(0.999);
}

describe('the layout of the graph', () => {
  test('places a listener after all of its emitters', () => {
    expect(columnsOf('a>b', 'b>c', 'a>c')).toEqual({ a: 0, b: 1, c: 2 });
  });

  test('gives each node a place of its own', () => {
    const { nodes, rows, columns } = layoutOf(['a>x', 'b>x', 'b>y', 'x>z'].map(edge));
    expect(columns).toBe(3);
    for (let column = 0; column < columns; column += 1) {
      const taken = nodes.filter((node) => node.column === column).map(({ row }) => row);
      expectApart(taken);
      expect(Math.max(...taken)).toBeLessThanOrEqual(rows - 1);
    }
  });

  test('places an emitter beside the middle of its listeners', () => {
    const { nodes } = layoutOf(['a>x', 'a>y', 'a>z'].map(edge));
    expect(Object.fromEntries(nodes.map(({ id, row }) => [id, row]))).toEqual({ a: 1, x: 0, y: 1, z: 2 });
  });

  test('leads an edge over several columns past the nodes between', () => {
    const { nodes, edges } = layoutOf(['a>b', 'b>c', 'a>c'].map(edge));
    const { via = [] } = edges.find(({ from, to }) => from === 'a' && to === 'c') ?? {};
    expect(via.map(({ column }) => column)).toEqual([1]);
    expectApart([...via, ...nodes.filter(({ column }) => column === 1)].map(({ row }) => row));
  });

  test('crosses no lines that need not cross', () => {
    const { nodes } = layoutOf(['a>z', 'b>y', 'c>x', 'b>x'].map(edge));
    const inColumn = (column: number) =>
      nodes
        .filter((node) => node.column === column)
        .toSorted((one, other) => one.row - other.row)
        .map(({ id }) => id)
        .join('');
    expect(['abc zyx', 'cba xyz']).toContain(`${inColumn(0)} ${inColumn(1)}`);
  });

  test('tells edges that lead back apart from others', () => {
    const { edges } = layoutOf(['a>b', 'b>a'].map(edge));
    expect(edges.map(({ isBack }) => isBack).toSorted()).toEqual([false, true]);
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
