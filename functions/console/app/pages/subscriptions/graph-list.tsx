import type { Directory } from '../../hooks/use-directory.ts';
import type { Edge } from './graph-layout.ts';

/** Each emitter with its listeners under it. */
export function GraphList({ edges, directory }: { edges: readonly Edge[]; directory: Directory }) {
  const listenersOf = new Map<string, Set<string>>();
  for (const { from, to } of edges) listenersOf.set(from, (listenersOf.get(from) ?? new Set()).add(to));
  return (
    <ul class="plain graph-list">
      {[...listenersOf].map(([emitter, listeners]) => (
        <li key={emitter}>
          <Name id={emitter} directory={directory} />
          <ul class="plain">
            {[...listeners].map((listener) => (
              <li key={listener}>
                <span aria-hidden="true">→ </span>
                <Name id={listener} directory={directory} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Name({ id, directory }: { id: string; directory: Directory }) {
  const { name, href } = directory.entryOf(id);
  return <a href={href}>{name}</a>;
}
