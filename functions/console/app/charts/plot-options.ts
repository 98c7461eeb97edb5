import uPlot from 'uplot';
import { countText } from '../locale.ts';
import { axisText } from './bar-text.ts';
import type { Layer } from './chart-layers.ts';
import { latencySteps, latencyText } from './latency-scale.ts';
import { type Colours, drawChosen, drawMarks, type Drawn, labelFont } from './plot-marks.ts';

/** `bars` of counts, or `lines` of latencies. */
export type PlotKind = 'bars' | 'lines';

export interface PlotLook extends Drawn {
  kind: PlotKind;
  colours: readonly Layer['colour'][];
}

const HEIGHT = 140;

/** The labels of a scale of counts: fractions have none. */
const wholeNumbers = (_plot: uPlot, splits: number[]): string[] =>
  splits.map((value) => (Number.isInteger(value) ? countText(value) : ''));

const COUNTS = {
  scale: { range: (_plot, _min, max) => [0, Math.max(4, Math.ceil(max * 1.1))] } satisfies uPlot.Scale,
  axis: { size: 44, space: 32, values: wholeNumbers } satisfies uPlot.Axis,
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
    size: 56,
    splits: stepsOf,
    filter: (_plot, splits) => splits,
    values: (_plot, splits) => splits.map(latencyText),
  } satisfies uPlot.Axis,
};

const timesOf = ({ bars }: PlotLook): [fromMs: number, untilMs: number] => [
  bars[0]?.fromMs ?? 0,
  bars.at(-1)?.untilMs ?? 1,
];

/** The options of a plot in the colours of the page. Each drawing reads bars, marks and the chosen part from `look`. */
export function plotOptions(
  element: HTMLElement,
  look: () => PlotLook,
  /** Is told the bar at the pointer. Without it, a plot takes no notice of the pointer. */
  onCursor: ((bar: number | undefined) => void) | undefined,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour: Colours = (name) => style.getPropertyValue(name).trim();
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
    // The label of the last time is centred below the end of the plot.
    padding: [8, 32, 0, 0],
    scales: {
      // From the start of the first bar to the end of the last one, so that both have their whole width.
      x: { range: () => timesOf(look()) },
      y: y.scale,
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        // The first label stands below the last one of the other axis.
        gap: 8,
        size: 28,
        space: 60,
        values: (_plot, splits) => {
          const [fromMs, untilMs] = timesOf(look());
          return splits.map((ms) => axisText(untilMs - fromMs, ms));
        },
      },
      { ...axis, ...y.axis },
    ],
    series: [{}, ...colours.map((each) => series(colour(`--plot-${each}`)))],
    hooks: {
      drawClear: [(plot) => drawChosen(plot, look(), colour)],
      draw: [(plot) => drawMarks(plot, look(), colour)],
      setCursor: [({ cursor }) => onCursor?.(cursor.idx ?? undefined)],
    },
  };
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
