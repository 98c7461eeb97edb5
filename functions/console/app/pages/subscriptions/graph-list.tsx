import type { Entry } from '../../hooks/use-directory.ts';
import type { Edge } from './graph-layout.ts';

/** A node as people read it: its name, and `2.4/min, failing`. */
export interface GraphNode extends Entry {
  state: string;
  trouble: string | undefined;
}

interface GraphListProps {
  edges: readonly Edge[];
  nodeOf: (id: string) => GraphNode;
}

/** Each emitter with its listeners under it. */
export function GraphList({ edges, nodeOf }: GraphListProps) {
  const listenersOf = new Map<string, Set<string>>();
  for (const { from, to } of edges) listenersOf.set(from, (listenersOf.get(from) ?? new Set()).add(to));
  return (
    <ul class="plain graph-list">
      {[...listenersOf].map(([emitter, listeners]) => (
        <li key={emitter}>
          <Name node={nodeOf(emitter)} />
          <ul class="plain">
            {[...listeners].map((listener) => (
              <li key={listener}>
                <span aria-hidden="true">→ </span>
                <Name node={nodeOf(listener)} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const Name = ({ node: { name, href, state, trouble } }: { node: GraphNode }) => (
  <>
    <a href={href}>{name}</a> <span class={trouble === undefined ? 'node-state' : 'node-state bad'}>{state}</span>
  </>
);
