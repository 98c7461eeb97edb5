import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { barText, clocksChange } from './bar-text.ts';
import { type Layer, nearestFilled, shownLayers } from './chart-layers.ts';
import type { BarUnit } from './chart-range.ts';
import { Plot, type PlotProps } from './plot.tsx';

interface PointedPlotProps extends Omit<PlotProps, 'colours' | 'heights' | 'onHover'> {
  unit: BarUnit;
  layers: readonly Layer[];
  /** Heights of the drawn bars of each layer: its values, unless layers are stacked. */
  heights?: PlotProps['heights'];
  textOf: (value: number) => string;
}

interface Pointed {
  bar: number;
  leftPx: number;
}

/** A plot with a card of the values at the pointer. */
export function PointedPlot({ unit, layers, heights, textOf, ...plot }: PointedPlotProps) {
  const [pointed, setPointed] = useState<Pointed>();
  const at = pointed && nearestFilled(layers, pointed.bar);
  return (
    <div class="plot-frame">
      <Plot
        {...plot}
        colours={layers.map(({ colour }) => colour)}
        heights={heights ?? layers.map(({ values }) => values)}
        onHover={(bar, leftPx) => setPointed(bar === undefined ? undefined : { bar, leftPx })}
      />
      {pointed && at !== undefined && (
        <ValueCard unit={unit} bars={plot.bars} layers={layers} textOf={textOf} at={at} leftPx={pointed.leftPx} />
      )}
    </div>
  );
}

interface ValueCardProps extends Pick<PointedPlotProps, 'unit' | 'bars' | 'layers' | 'textOf'> {
  /** The number of the bar. */
  at: number;
  leftPx: number;
}

const GAP_PX = 12;

/** The table of the chart says the same to screen readers. */
function ValueCard({ unit, bars, layers, textOf, at, leftPx }: ValueCardProps) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const width = card.current?.parentElement?.clientWidth;
    if (!card.current || width === undefined) return;
    // It stands on the side that has more room.
    const isLeft = leftPx > width / 2;
    card.current.style.left = isLeft ? 'auto' : `${leftPx + GAP_PX}px`;
    card.current.style.right = isLeft ? `${width - leftPx + GAP_PX}px` : 'auto';
  }, [leftPx]);
  const bar = bars[at];
  return (
    <div ref={card} class="value-card" aria-hidden="true">
      {bar && <span class="muted">{barText(unit, bar, clocksChange(bars))}</span>}
      {shownLayers(layers).map(({ name, colour, values }) => (
        <span key={name} class={`key plot-${colour}`}>
          {name} <strong>{values[at] == null ? '–' : textOf(values[at])}</strong>
        </span>
      ))}
    </div>
  );
}
