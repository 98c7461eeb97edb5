import { ChartFigure, type ChartFigureProps } from './chart-figure.tsx';
import { largest } from './chart-layers.ts';
import { latencyText } from './latency-scale.ts';

type LatencyChartProps = Omit<ChartFigureProps, 'kind' | 'textOf' | 'summary'>;

/** Quantiles of latencies over time, as lines on a logarithmic scale. */
export const LatencyChart = (props: LatencyChartProps) => (
  <ChartFigure
    {...props}
    kind="lines"
    textOf={latencyText}
    summary={props.layers.map(({ name, values }) => `${name}: at most ${latencyText(largest(values))}.`).join(' ')}
  />
);
