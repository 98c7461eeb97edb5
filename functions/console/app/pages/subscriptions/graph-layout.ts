/** An edge of a graph by the ids of its nodes. */
export interface Edge {
  from: string;
  to: string;
}

export interface PositionedNode {
  id: string;
  column: number;
  row: number;
}

export interface Layout {
  nodes: readonly PositionedNode[];
  edges: readonly Edge[];
  columns: number;
  rows: number;
}

/**
 * Places each node in the column after its emitters, so that events run from left to right. A node of a cycle stays in
 * the column where the search first met it. Equal edges become one.
 */
export function layoutOf(all: readonly Edge[]): Layout {
  const edges = [...new Map(all.map((edge) => [`${edge.from} ${edge.to}`, edge])).values()];
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const columnOf = columnsOf(ids, edges);
  const filled: number[] = [];
  const nodes = inOrder(ids, edges).map((id) => {
    const column = columnOf.get(id) ?? 0;
    const row = filled[column] ?? 0;
    filled[column] = row + 1;
    return { id, column, row };
  });
  return {
    nodes,
    edges,
    columns: filled.length,
    rows: Math.max(0, ...Array.from(filled, (count = 0) => count)),
  };
}

/** The length of the longest path to each node. Paths with cycles do not count. */
function columnsOf(ids: readonly string[], edges: readonly Edge[]): ReadonlyMap<string, number> {
  const emitters = new Map<string, string[]>();
  for (const { from, to } of edges) emitters.set(to, [...(emitters.get(to) ?? []), from]);
  const columns = new Map<string, number>();
  const open = new Set<string>();
  const columnOf = (id: string): number => {
    const known = columns.get(id);
    if (known !== undefined) return known;
    open.add(id);
    const before = (emitters.get(id) ?? []).filter((emitter) => !open.has(emitter)).map(columnOf);
    open.delete(id);
    const column = Math.max(-1, ...before) + 1;
    columns.set(id, column);
    return column;
  };
  for (const id of ids) columnOf(id);
  return columns;
}

/** Listeners stand in the order of their emitters, so that fewer lines cross. */
function inOrder(ids: readonly string[], edges: readonly Edge[]): readonly string[] {
  const position = new Map(ids.map((id, n) => [id, n]));
  const meanOf = (id: string): number => {
    const emitters = edges.filter(({ to }) => to === id).map(({ from }) => position.get(from) ?? 0);
    return emitters.length === 0
      ? (position.get(id) ?? 0)
      : emitters.reduce((sum, at) => sum + at, 0) / emitters.length;
  };
  const means = new Map(ids.map((id) => [id, meanOf(id)]));
  return ids.toSorted((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0));
}
