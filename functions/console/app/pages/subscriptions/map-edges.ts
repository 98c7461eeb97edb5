import type { Edge } from './graph-layout.ts';

/** A map with more lines is unreadable. */
export const MAX_EDGES = 30;

/** The edges that lead to a source, a workflow or a webhook and away from it, the nearest first. */
export function edgesAround(id: string, all: readonly Edge[]): readonly Edge[] {
  const down = edgesFrom(
    id,
    all,
    ({ from }, node) => emits(from, node),
    ({ to }) => to,
  );
  const up = edgesFrom(
    id,
    all,
    ({ to }, node) => to === node,
    ({ from }) => from,
  );
  const upShown = Math.max(MAX_EDGES / 2, MAX_EDGES - down.length);
  return [...new Set([...up.slice(0, upShown), ...down])].slice(0, MAX_EDGES);
}

/** Follows edges breadth first. */
function edgesFrom(
  id: string,
  all: readonly Edge[],
  isNext: (edge: Edge, node: string) => boolean,
  nodeAfter: (edge: Edge) => string,
): readonly Edge[] {
  const found = new Set<Edge>();
  const nodes = new Set([id]);
  // The set grows meanwhile.
  for (const node of nodes) {
    if (found.size >= MAX_EDGES) break;
    for (const edge of all.filter((each) => isNext(each, node))) {
      found.add(edge);
      nodes.add(nodeAfter(edge));
    }
  }
  return [...found];
}

/** Whether an emitter of a subscription is a node: `dc_*` is every source. */
const emits = (emitter: string, node: string): boolean =>
  emitter === node || (emitter.endsWith('_*') && node.startsWith(emitter.slice(0, -1)));
