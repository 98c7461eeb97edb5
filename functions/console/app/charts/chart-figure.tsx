import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { Table } from '../components/table.tsx';
import { barText, clocksChange, perUnit } from './bar-text.ts';
import { type Layer, nearestFilled, shownLayers } from './chart-layers.ts';
import type { Bar, BarUnit } from './chart-range.ts';
import type { Mark } from './marks.ts';
import { PointedPlot } from './pointed-plot.tsx';
import type { PlotKind } from './plot-options.ts';

export interface ChartFigureProps {
  name: string;
  kind: PlotKind;
  unit: BarUnit;
  bars: readonly Bar[];
  layers: readonly Layer[];
  /** Heights of the drawn bars of each layer: its values, unless layers are stacked. */
  heights?: readonly (readonly (number | null)[])[];
  textOf: (value: number) => string;
  /** The text of a layer in the key. */
  keyText?: (layer: Layer) => string;
  summary: string;
  /** Shown without values. */
  whenEmpty: string;
  marks: readonly Mark[];
  /** The address of the list of a bar. */
  hrefOf: (bar: Bar, n: number) => string;
}

/** A plot with its key, and the same as a table whose rows link to their lists. */
export function ChartFigure(props: ChartFigureProps) {
  const { name, kind, unit, bars, layers, marks, hrefOf } = props;
  const { route } = useLocation();
  const isEmpty = nearestFilled(layers, 0) === undefined;
  const pick = (n: number): void => {
    const found = nearestFilled(layers, n);
    const bar = found === undefined ? undefined : bars[found];
    if (found !== undefined && bar) route(hrefOf(bar, found));
  };
  return (
    <figure class="card stack chart">
      <figcaption>
        {name} <span class="muted">{perUnit(unit)}</span>
      </figcaption>
      {(kind !== 'lines' || !isEmpty) && (
        <PointedPlot
          kind={kind}
          unit={unit}
          bars={bars}
          layers={layers}
          {...(props.heights ? { heights: props.heights } : {})}
          textOf={props.textOf}
          summary={props.summary}
          marks={marks}
          onPick={pick}
        />
      )}
      {isEmpty ? <p class="hint">{props.whenEmpty}</p> : <Key {...props} />}
      {!isEmpty && <Values {...props} />}
    </figure>
  );
}

/** The names of the colours. */
const Key = ({ layers, keyText }: Pick<ChartFigureProps, 'layers' | 'keyText'>) => (
  <p class="plot-key">
    {shownLayers(layers).map((layer) => (
      <span key={layer.name} class={`key plot-${layer.colour}`}>
        {layer.name} <strong>{keyText?.(layer)}</strong>
      </span>
    ))}
  </p>
);

function Values({ name, unit, bars, layers, textOf, hrefOf }: ChartFigureProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="chart-values" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        As a table<span class="hidden-text">: {name}</span>
      </summary>
      {isOpen && (
        <Table
          name={`${name} ${perUnit(unit)}`}
          rows={filledBars(bars, layers)}
          idOf={({ bar }) => String(bar.fromMs)}
          isNumbers
          columns={[
            {
              name: 'Time',
              cell: ({ bar, n }) => (
                <a href={hrefOf(bar, n)} title={new Date(bar.fromMs).toISOString()}>
                  <time dateTime={new Date(bar.fromMs).toISOString()}>{barText(unit, bar, clocksChange(bars))}</time>
                </a>
              ),
            },
            ...shownLayers(layers).map(({ name: title, values }) => ({
              name: title,
              kind: 'number' as const,
              cell: ({ n }: { n: number }) => textOf(values[n] ?? 0),
            })),
          ]}
        />
      )}
    </details>
  );
}

/** The bars with values, newest first. */
const filledBars = (bars: readonly Bar[], layers: readonly Layer[]): readonly { bar: Bar; n: number }[] =>
  bars
    .map((bar, n) => ({ bar, n }))
    .filter(({ n }) => layers.some(({ values }) => (values[n] ?? 0) > 0))
    .reverse();
