import type { Subscription } from '../../api/wire.ts';
import type { Directory } from '../../hooks/use-directory.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { GraphList } from './graph-list.tsx';
import { type Edge, layoutOf, type PositionedNode } from './graph-layout.ts';
import { countText } from '../../locale.ts';

/** A graph with more lines is unreadable. */
const MAX_EDGES = 60;

/** A graph is wider than these screens. */
const NARROW = '(max-width: 47.99rem)';

/** A node has room for two lines of its name. */
const NODE = { width: 248, height: 48 };
const GAP = { column: 56, row: 12 };
const MARGIN = 8;

const xOf = ({ column }: PositionedNode): number => MARGIN + column * (NODE.width + GAP.column);
const yOf = ({ row }: PositionedNode): number => MARGIN + row * (NODE.height + GAP.row);

interface GraphProps {
  subscriptions: readonly Subscription[];
  directory: Directory;
}

/** Emitters and listeners as a graph, on narrow screens as a list. The table under it says the same. */
export function SubscriptionGraph({ subscriptions, directory }: GraphProps) {
  const isNarrow = useMedia(NARROW);
  const shown = subscriptions.slice(0, MAX_EDGES);
  const edges = shown.map(({ emitter_id: from, listener_id: to }) => ({ from, to }));
  return (
    <figure class="graph" aria-label="Graph of emitters and listeners">
      {isNarrow ? <GraphList edges={edges} directory={directory} /> : <Drawing edges={edges} directory={directory} />}
      {subscriptions.length > MAX_EDGES && (
        <figcaption class="hint">
          The graph shows {MAX_EDGES} of {countText(subscriptions.length)} subscriptions. Search to see others.
        </figcaption>
      )}
    </figure>
  );
}

function Drawing({ edges: all, directory }: { edges: readonly Edge[]; directory: Directory }) {
  const { nodes, edges, columns, rows } = layoutOf(all);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const width = 2 * MARGIN + columns * (NODE.width + GAP.column) - GAP.column;
  const height = 2 * MARGIN + rows * (NODE.height + GAP.row) - GAP.row;
  return (
    <div class="graph-frame" tabIndex={0} role="group" aria-label="Graph, scrollable">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path class="arrow" d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        <g aria-hidden="true">
          {edges.map(({ from, to }) => {
            const [start, end] = [byId.get(from), byId.get(to)];
            return (
              start &&
              end && <path key={`${from} ${to}`} class="edge" marker-end="url(#arrow)" d={pathOf(start, end)} />
            );
          })}
        </g>
        {nodes.map((node) => {
          const { id, name, href } = directory.entryOf(node.id);
          return (
            <a key={id} href={href} class={`node ${kindOf(id)}`}>
              {/* The name of the link, and its tooltip: the text may take more than two lines. */}
              <title>{name}</title>
              <rect x={xOf(node)} y={yOf(node)} width={NODE.width} height={NODE.height} rx="8" />
              <foreignObject x={xOf(node)} y={yOf(node)} width={NODE.width} height={NODE.height}>
                <div class="node-box" aria-hidden="true">
                  <div class="node-name">{name}</div>
                </div>
              </foreignObject>
            </a>
          );
        })}
      </svg>
    </div>
  );
}

const kindOf = (id: string): string => id.slice(0, id.indexOf('_'));

/** A line from the right end of a node to the left end of another one, also when that one is further left. */
function pathOf(start: PositionedNode, end: PositionedNode): string {
  const [x1, y1] = [xOf(start) + NODE.width, yOf(start) + NODE.height / 2];
  const [x2, y2] = [xOf(end), yOf(end) + NODE.height / 2];
  const bend = Math.max(GAP.column / 2, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
