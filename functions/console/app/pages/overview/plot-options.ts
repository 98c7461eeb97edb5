import uPlot from 'uplot';
import { countText, timeFormat } from '../../locale.ts';

const HEIGHT = 160;

/** The labels of a scale of counts: fractions have none. */
const wholeNumbers = (_plot: uPlot, splits: number[]): string[] =>
  splits.map((value) => (Number.isInteger(value) ? countText(value) : ''));

const TIME = timeFormat({ hour: 'numeric', minute: '2-digit' });

/** The options of a plot of two counts per minute, in the colours of the page. */
export function plotOptions(element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour('--muted'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 24], radius: 0.15 });
  const series = (fill: string): uPlot.Series => ({
    fill,
    width: 0,
    points: { show: false },
    ...(bars ? { paths: bars } : {}),
  });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 24, 0, 0],
    // Half a minute more at both ends, so that the first and the last bar have their whole width.
    scales: {
      x: { range: (_plot, min, max) => [min - 30, max + 30] },
      y: { range: (_plot, _min, max) => [0, Math.max(4, Math.ceil(max * 1.1))] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 60,
        values: (_plot, splits) => splits.map((s) => TIME.format(s * 1_000)),
      },
      { ...axis, size: 44, space: 32, values: wholeNumbers },
    ],
    series: [{}, series(colour('--plot-1')), series(colour('--plot-2'))],
  };
}
