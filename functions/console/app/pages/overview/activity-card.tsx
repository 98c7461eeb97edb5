import type { ComponentChildren } from 'preact';
import type { ActivityMinute, Listed } from '../../api/wire.ts';
import { largest, type Layer, stackedHeights, sum } from '../../charts/chart-layers.ts';
import { barOfBucket } from '../../charts/chart-range.ts';
import { PointedPlot } from '../../charts/pointed-plot.tsx';
import { Loaded, type Loading } from '../../components/loaded.tsx';
import { countText } from '../../locale.ts';

interface Series {
  name: string;
  of: (minute: ActivityMinute) => number;
}

interface ActivityCardProps {
  title: string;
  query: Loading<Listed<ActivityMinute>>;
  good: Series;
  bad: Series;
  /** Shown when both counts are 0. */
  children: ComponentChildren;
}

/** Two counts per minute, as bars. A sentence says the same to screen readers. */
export const ActivityCard = ({ title, query, ...counts }: ActivityCardProps) => (
  <section class="card stack" aria-label={title}>
    <h2>{title}</h2>
    <Loaded query={query}>{({ data }) => <ActivityPlot minutes={data} {...counts} />}</Loaded>
  </section>
);

type ActivityPlotProps = Omit<ActivityCardProps, 'title' | 'query'> & { minutes: readonly ActivityMinute[] };

function ActivityPlot({ minutes, good, bad, children }: ActivityPlotProps) {
  const layers: readonly Layer[] = [
    { name: good.name, colour: 1, values: minutes.map(good.of) },
    { name: bad.name, colour: 2, values: minutes.map(bad.of) },
  ];
  const [goods = [], bads = []] = layers.map(({ values }) => values);
  const [goodTotal, badTotal] = [sum(goods), sum(bads)];
  const summary = `${good.name}: ${countText(goodTotal)}, at most ${countText(largest(goods))} a minute. ${bad.name}: ${countText(badTotal)}.`;
  return (
    <>
      <PointedPlot
        kind="bars"
        unit="minute"
        layers={layers}
        textOf={countText}
        bars={minutes.map(({ minute_ms: ms }) => barOfBucket('minute', ms))}
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
      {goodTotal + badTotal === 0 && <p class="hint">{children}</p>}
    </>
  );
}
