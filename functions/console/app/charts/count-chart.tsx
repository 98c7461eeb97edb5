import { countText } from '../locale.ts';
import { perUnit } from './bar-text.ts';
import { ChartFigure, type ChartFigureProps } from './chart-figure.tsx';
import { largest, type Layer, sum } from './chart-layers.ts';

type CountChartProps = Omit<ChartFigureProps, 'kind' | 'textOf' | 'keyText' | 'summary'>;

const totalOf = ({ values }: Layer): string => countText(sum(values));

/** Counts over time, as bars. */
export const CountChart = (props: CountChartProps) => (
  <ChartFigure
    {...props}
    kind="bars"
    textOf={countText}
    keyText={totalOf}
    summary={props.layers
      .map(
        (layer) =>
          `${layer.name}: ${totalOf(layer)}, at most ${countText(largest(layer.values))} ${perUnit(props.unit)}.`,
      )
      .join(' ')}
  />
);
