import type { ComponentChildren } from 'preact';
import type { ActivityMinute } from '../../api/wire.ts';
import { largest, type Layer, stackedHeights, sum } from '../../charts/chart-layers.ts';
import { barOfBucket } from '../../charts/chart-range.ts';
import { Plot } from '../../charts/plot.tsx';
import { countText } from '../../locale.ts';

interface Series {
  name: string;
  of: (minute: ActivityMinute) => number;
}

interface ActivityPlotProps {
  minutes: readonly ActivityMinute[];
  good: Series;
  bad: Series;
  whenEmpty: ComponentChildren;
}

/** Two counts per minute, as bars. A sentence says the same to screen readers. */
export function ActivityPlot({ minutes, good, bad, whenEmpty }: ActivityPlotProps) {
  const layers: readonly Layer[] = [
    { name: good.name, colour: 1, values: minutes.map(good.of) },
    { name: bad.name, colour: 2, values: minutes.map(bad.of) },
  ];
  const [goods = [], bads = []] = layers.map(({ values }) => values);
  const [goodTotal, badTotal] = [sum(goods), sum(bads)];
  const summary = `${good.name}: ${countText(goodTotal)}, at most ${countText(largest(goods))} a minute. ${bad.name}: ${countText(badTotal)}.`;
  return (
    <>
      <Plot
        kind="bars"
        bars={minutes.map(({ minute_ms: ms }) => barOfBucket('minute', ms))}
        colours={layers.map(({ colour }) => colour)}
        heights={stackedHeights(layers)}
        summary={summary}
      />
      <p class="plot-key">
        <span class="key plot-1">
          {good.name} <strong>{countText(goodTotal)}</strong>
        </span>
        <span class="key plot-2">
          {bad.name} <strong>{countText(badTotal)}</strong>
        </span>
      </p>
      {goodTotal + badTotal === 0 && <p class="hint">{whenEmpty}</p>}
    </>
  );
}
