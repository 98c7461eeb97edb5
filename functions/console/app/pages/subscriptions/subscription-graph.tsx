import type { Directory } from '../../hooks/use-directory.ts';
import { useWide } from '../../hooks/use-wide.ts';
import { numberFormat } from '../../locale.ts';
import { GraphList, type GraphNode } from './graph-list.tsx';
import { type DrawnEdge, type Edge, type GridPoint, layoutOf, type PositionedNode } from './graph-layout.ts';
import { troubleOf } from './trouble-of.ts';
import { useMapRates } from './use-map-rates.ts';

/** A node has room for two lines of its name and one of its rate. */
const NODE = { width: 248, height: 60 };
const GAP = { column: 80, row: 12 };
const MARGIN = 8;
/** Between two lines that lead back, below the nodes. */
const LANE = 10;

const xOf = ({ column }: GridPoint): number => MARGIN + column * (NODE.width + GAP.column);
const yOf = ({ row }: GridPoint): number => MARGIN + row * (NODE.height + GAP.row);

interface GraphProps {
  edges: readonly Edge[];
  directory: Directory;
}

/** Emitters and listeners as a graph, on narrow screens as a list. The table above it says the same. */
export function SubscriptionGraph({ edges, directory }: GraphProps) {
  const isWide = useWide();
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const rates = useMapRates(ids);
  const nodeOf = (id: string): GraphNode => {
    const entry = directory.entryOf(id);
    const trouble = troubleOf(entry);
    return { ...entry, trouble, state: [rateText(rates.get(id)), trouble].filter(Boolean).join(', ') };
  };
  return (
    <figure class="graph" aria-label="Graph of emitters and listeners">
      {isWide ? <Drawing edges={edges} nodeOf={nodeOf} /> : <GraphList edges={edges} nodeOf={nodeOf} />}
    </figure>
  );
}

const RATE = numberFormat({ maximumSignificantDigits: 2 });
const rateText = (perMinute: number | undefined): string | undefined =>
  perMinute === undefined ? undefined : `${RATE.format(perMinute)}/min`;

interface DrawingProps {
  edges: readonly Edge[];
  nodeOf: (id: string) => GraphNode;
}

function Drawing({ edges: all, nodeOf }: DrawingProps) {
  const { nodes, edges, columns, rows } = layoutOf(all);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const back = edges.filter(({ isBack }) => isBack);
  const width = 2 * MARGIN + columns * (NODE.width + GAP.column) - (back.length === 0 ? GAP.column : GAP.column / 2);
  const bottom = 2 * MARGIN + rows * (NODE.height + GAP.row) - GAP.row;
  const height = bottom + back.length * LANE;
  const left = back.length === 0 ? 0 : -GAP.column / 2;
  return (
    <div class="graph-frame" tabIndex={0} role="group" aria-label="Graph, scrollable">
      <svg width={width - left} height={height} viewBox={`${left} 0 ${width - left} ${height}`}>
        <defs>
          <Arrow id="arrow" kind="arrow" />
          <Arrow id="bad-arrow" kind="arrow bad" />
        </defs>
        <g aria-hidden="true">
          {edges.map((edge) => {
            const [start, end] = [byId.get(edge.from), byId.get(edge.to)];
            const isBad = nodeOf(edge.to).trouble !== undefined;
            const d = start && end && lineOf(start, edge, end, bottom + back.indexOf(edge) * LANE);
            return (
              <path
                key={`${edge.from} ${edge.to}`}
                class={isBad ? 'edge bad' : 'edge'}
                marker-end={isBad ? 'url(#bad-arrow)' : 'url(#arrow)'}
                d={d}
              />
            );
          })}
        </g>
        {nodes.map((node) => (
          <Box key={node.id} at={node} node={nodeOf(node.id)} />
        ))}
      </svg>
    </div>
  );
}

const Arrow = ({ id, kind }: { id: string; kind: string }) => (
  <marker id={id} viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
    <path class={kind} d="M0 0 8 4 0 8z" />
  </marker>
);

const Box = ({ at, node: { id, name, href, state, trouble } }: { at: PositionedNode; node: GraphNode }) => (
  <a href={href} class={`node ${kindOf(id)} ${trouble === undefined ? '' : 'bad'}`}>
    {/* The name of the link, and its tooltip: the text may take more than two lines. */}
    <title>{state === '' ? name : `${name}, ${state}`}</title>
    <rect x={xOf(at)} y={yOf(at)} width={NODE.width} height={NODE.height} rx="8" />
    <foreignObject x={xOf(at)} y={yOf(at)} width={NODE.width} height={NODE.height}>
      <div class="node-box" aria-hidden="true">
        <div class="node-name">{name}</div>
        <div class="node-state">{state}</div>
      </div>
    </foreignObject>
  </a>
);

const kindOf = (id: string): string => id.slice(0, id.indexOf('_'));

/** A line from the right end of a node to the left end of another one, which crosses no node. */
function lineOf(start: PositionedNode, { via, isBack }: DrawnEdge, end: PositionedNode, laneY: number): string {
  const [x1, y1] = [xOf(start) + NODE.width, middleOf(start)];
  const [x2, y2] = [xOf(end), middleOf(end)];
  if (isBack) return `M${x1} ${y1}h${GAP.column / 4}V${laneY}H${x2 - GAP.column / 4}V${y2}H${x2}`;
  const points = [...via.flatMap((point) => passing(point)), [x2, y2] as const];
  let [x, y] = [x1, y1];
  const parts = points.map(([nextX, nextY]) => {
    const middle = (x + nextX) / 2;
    const part = nextY === y ? `H${nextX}` : `C${middle} ${y} ${middle} ${nextY} ${nextX} ${nextY}`;
    [x, y] = [nextX, nextY];
    return part;
  });
  return `M${x1} ${y1}${parts.join('')}`;
}

const middleOf = (point: GridPoint): number => yOf(point) + NODE.height / 2;

/** The ends of the line through the column of a point. */
const passing = (point: GridPoint): (readonly [x: number, y: number])[] => [
  [xOf(point), middleOf(point)],
  [xOf(point) + NODE.width, middleOf(point)],
];
