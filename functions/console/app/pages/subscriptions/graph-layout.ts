/** An edge of a graph by the ids of its nodes. */
export interface Edge {
  from: string;
  to: string;
}

/** A point of the drawing. Rows may be fractions. */
export interface GridPoint {
  column: number;
  row: number;
}

export interface PositionedNode extends GridPoint {
  id: string;
}

export interface DrawnEdge extends Edge {
  /** A point in each column between its nodes. The edge has the row there to itself. */
  via: readonly GridPoint[];
  /** Whether the edge ends in a column that is not further right. */
  isBack: boolean;
}

export interface Layout {
  nodes: readonly PositionedNode[];
  edges: readonly DrawnEdge[];
  columns: number;
  rows: number;
}

/** More sweeps change the order of few graphs. */
const SWEEPS = 4;

/**
 * Places each node in the column after its emitters, so that events run from left to right. A node of a cycle stays in
 * the column where the search first met it. Equal edges become one.
 */
export function layoutOf(all: readonly Edge[]): Layout {
  const edges = distinctEdges(all);
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const columnOf = columnsOf(ids, edges);
  const chains = edges.map((edge) => ({ edge, points: chainOf(edge, columnOf) }));
  const layers: string[][] = [];
  const passed = chains.flatMap(({ points }) => points.slice(1, -1));
  for (const id of [...ids, ...passed]) (layers[columnOf.get(id) ?? 0] ??= []).push(id);
  const rows = rowsOf(layers, neighboursOf(chains.map(({ points }) => points)));
  const pointOf = (id: string): GridPoint => ({ column: columnOf.get(id) ?? 0, row: rows.get(id) ?? 0 });
  return {
    nodes: ids.map((id) => ({ id, ...pointOf(id) })),
    edges: chains.map(({ edge, points }) => ({
      ...edge,
      via: points.slice(1, -1).map(pointOf),
      isBack: points.length === 0,
    })),
    columns: layers.length,
    rows: ids.length === 0 ? 0 : Math.max(...rows.values()) + 1,
  };
}

export const distinctEdges = (all: readonly Edge[]): readonly Edge[] => [
  ...new Map(all.map((edge) => [`${edge.from} ${edge.to}`, edge])).values(),
];

/** The length of the longest path to each node. Paths with cycles do not count. */
function columnsOf(ids: readonly string[], edges: readonly Edge[]): Map<string, number> {
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

/** The ends of an edge with a new point for each column between them; nothing for an edge that leads back. */
function chainOf({ from, to }: Edge, columnOf: Map<string, number>): readonly string[] {
  const [start, end] = [columnOf.get(from) ?? 0, columnOf.get(to) ?? 0];
  if (end <= start) return [];
  const between = Array.from({ length: end - start - 1 }, (_, n) => `${from} ${to} ${n}`);
  for (const [n, point] of between.entries()) columnOf.set(point, start + 1 + n);
  return [from, ...between, to];
}

interface Neighbours {
  before: ReadonlyMap<string, readonly string[]>;
  after: ReadonlyMap<string, readonly string[]>;
}

function neighboursOf(chains: readonly (readonly string[])[]): Neighbours {
  const [before, after] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const chain of chains)
    for (const [n, point] of chain.slice(1).entries()) {
      const previous = chain[n] ?? '';
      before.set(point, [...(before.get(point) ?? []), previous]);
      after.set(previous, [...(after.get(previous) ?? []), point]);
    }
  return { before, after };
}

/** Orders each column by its neighbours, so that few lines cross, and places its points beside them. */
function rowsOf(layers: string[][], { before, after }: Neighbours): ReadonlyMap<string, number> {
  const rows = new Map(layers.flatMap((layer) => layer.map((id, row): [string, number] => [id, row])));
  const rowAt = (id: string): number => rows.get(id) ?? 0;
  const wishOf = (id: string, neighbours: readonly string[] = []): number =>
    neighbours.length === 0 ? rowAt(id) : neighbours.reduce((sum, each) => sum + rowAt(each), 0) / neighbours.length;
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isBackwards = sweep % 2 === 1;
    const neighbours = isBackwards ? after : before;
    for (const layer of isBackwards ? layers.toReversed() : layers) {
      const wishes = new Map(layer.map((id) => [id, wishOf(id, neighbours.get(id))]));
      layer.sort((a, b) => (wishes.get(a) ?? 0) - (wishes.get(b) ?? 0));
      const placed = apart(layer.map((id) => wishes.get(id) ?? 0));
      for (const [n, id] of layer.entries()) rows.set(id, placed[n] ?? 0);
    }
  }
  const first = Math.min(...rows.values());
  return new Map([...rows].map(([id, row]) => [id, row - first]));
}

/** The rows that are nearest to the desired ones, in the same order, and at least 1 apart. */
function apart(desired: readonly number[]): readonly number[] {
  const blocks: { sum: number; count: number }[] = [];
  for (const [n, row] of desired.entries()) {
    let block = { sum: row - n, count: 1 };
    for (let last = blocks.at(-1); last && last.sum / last.count > block.sum / block.count; last = blocks.at(-1)) {
      blocks.pop();
      block = { sum: block.sum + last.sum, count: block.count + last.count };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count)).map((row, n) => row + n);
}
