import uPlot from 'uplot';
import { countText } from '../locale.ts';
import { axisText } from './bar-text.ts';
import { countSteps } from './count-scale.ts';
import type { Layer } from './chart-layers.ts';
import { latencySteps, latencyText } from './latency-scale.ts';
import { type Colours, drawMarks, type Drawn, labelFont, labelsHeight } from './plot-marks.ts';

/** `bars` of counts, or `lines` of latencies. */
export type PlotKind = 'bars' | 'lines';

export interface PlotLook extends Drawn {
  kind: PlotKind;
  colours: readonly Layer['colour'][];
}

const HEIGHT = 140;
const TOP_PX = 8;
const LABEL_GAP_PX = 6;

const COUNTS = {
  scale: { range: (_plot, _min, max) => [0, countSteps(max).at(-1) ?? 1] } satisfies uPlot.Scale,
  axis: {
    splits: (plot) => [...countSteps(plot.scales['y']?.max ?? 1)],
    filter: (_plot, splits) => splits,
    values: (_plot, splits) => splits.map(countText),
  } satisfies uPlot.Axis,
};

const stepsOf = (plot: uPlot): number[] => {
  const { min, max } = plot.scales['y'] ?? {};
  return [...latencySteps(min ?? 1, max ?? 1)];
};
const LATENCIES = {
  scale: {
    distr: 3,
    range: (_plot, min, max) => {
      const steps = latencySteps(min, max);
      return [steps[0] ?? 1, steps.at(-1) ?? 10];
    },
  } satisfies uPlot.Scale,
  axis: {
    splits: stepsOf,
    filter: (_plot, splits) => splits,
    values: (_plot, splits) => splits.map(latencyText),
  } satisfies uPlot.Axis,
};

const timesOf = ({ bars }: PlotLook): [fromMs: number, untilMs: number] => [
  bars[0]?.fromMs ?? 0,
  bars.at(-1)?.untilMs ?? 1,
];

/** The options of a plot in the colours of the page. Each drawing reads bars and marks from `look`. */
export function plotOptions(
  element: HTMLElement,
  look: () => PlotLook,
  /** Is told the bar at the pointer. Without it, a plot takes no notice of the pointer. */
  onCursor: ((bar: number | undefined, leftPx: number) => void) | undefined,
): uPlot.Options {
  // A canvas takes no `light-dark(…)`: the browser resolves it as the colour of the element.
  const colour: Colours = (name) => {
    element.style.color = `var(${name})`;
    const { color } = getComputedStyle(element);
    element.style.color = '';
    return color;
  };
  const axis: uPlot.Axis = {
    stroke: colour('--muted'),
    font: labelFont(1),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const { kind, colours } = look();
  const y = kind === 'bars' ? COUNTS : LATENCIES;
  const series = kind === 'bars' ? barSeries : lineSeries;
  return {
    width: element.clientWidth,
    height: HEIGHT,
    ms: 1,
    legend: { show: false },
    cursor: onCursor ? { y: false, points: { show: false }, drag: { x: false, y: false } } : { show: false },
    // From edge to edge. Labels of marks stand above the plot, not over its bars.
    padding: [() => TOP_PX + labelsHeight(look()), 0, 0, 0],
    scales: {
      // From the start of the first bar to the end of the last one, so that both have their whole width.
      x: { range: () => timesOf(look()) },
      y: y.scale,
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        gap: 8,
        size: 28,
        space: 60,
        values: (plot, splits) => {
          const [fromMs, untilMs] = timesOf(look());
          return splits.map((ms) => {
            const text = axisText(untilMs - fromMs, ms);
            return isWhole(plot, text, ms) ? text : '';
          });
        },
      },
      { ...axis, ...y.axis, gap: LABEL_GAP_PX, size: widthOfLabels },
    ],
    series: [{}, ...colours.map((each) => series(colour(`--plot-${each}`)))],
    hooks: {
      draw: [(plot) => drawMarks(plot, look(), colour)],
      setCursor: [({ cursor, over }) => onCursor?.(cursor.idx ?? undefined, over.offsetLeft + (cursor.left ?? 0))],
    },
  };
}

/** The labels begin at the left edge, as the title of the chart does. */
function widthOfLabels(plot: uPlot, values: string[] | null): number {
  return LABEL_GAP_PX + Math.ceil(Math.max(0, ...(values ?? []).map((text) => labelWidth(plot, text))));
}

function labelWidth({ ctx }: uPlot, text: string): number {
  ctx.font = labelFont(1);
  return ctx.measureText(text).width;
}

/** Whether a label, which is centred below its time, is within the plot and the labels beside it. */
function isWhole(plot: uPlot, text: string, ms: number): boolean {
  const [middle, half] = [plot.valToPos(ms, 'x'), labelWidth(plot, text) / 2];
  return middle + half <= plot.bbox.width / devicePixelRatio && middle - half >= -plot.bbox.left / devicePixelRatio;
}

function barSeries(fill: string): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.7, 24], radius: 0.15 });
  return { fill, width: 0, points: { show: false }, ...(paths ? { paths } : {}) };
}

const lineSeries = (stroke: string): uPlot.Series => ({
  stroke,
  width: 1.5,
  points: { show: true, size: 5, fill: stroke, filter: alone },
});

/** A value without neighbours is no part of a line. */
function alone(plot: uPlot, seriesIdx: number): number[] {
  const values = plot.data[seriesIdx] ?? [];
  return [...values.keys()].filter((n) => values[n] != null && values[n - 1] == null && values[n + 1] == null);
}
