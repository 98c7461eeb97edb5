import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { ActivityMinute } from '../../api/wire.ts';
import { plotOptions } from './plot-options.ts';
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

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Two counts per minute, as bars. A sentence says the same to screen readers. */
export function ActivityPlot({ minutes, good, bad, whenEmpty }: ActivityPlotProps) {
  const [goods, bads] = [minutes.map(good.of), minutes.map(bad.of)];
  const [goodTotal, badTotal] = [sum(goods), sum(bads)];
  const summary = `${good.name}: ${countText(goodTotal)}, at most ${countText(Math.max(0, ...goods))} a minute. ${bad.name}: ${countText(badTotal)}.`;
  return (
    <>
      <Bars
        times={minutes.map(({ minute_ms: ms }) => ms / 1_000)}
        goods={goods}
        bads={bads}
        summary={summary}
      />
      <p class="plot-key">
        <span class="key good">
          {good.name} <strong>{countText(goodTotal)}</strong>
        </span>
        <span class="key bad">
          {bad.name} <strong>{countText(badTotal)}</strong>
        </span>
      </p>
      {goodTotal + badTotal === 0 && <p class="hint">{whenEmpty}</p>}
    </>
  );
}

interface BarsProps {
  times: number[];
  goods: number[];
  bads: number[];
  summary: string;
}

function Bars({ times, goods, bads, summary }: BarsProps) {
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  // The two bars of a minute are stacked.
  const data: uPlot.AlignedData = [times, goods.map((each, n) => each + (bads[n] ?? 0)), bads];

  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(plotOptions(element), plot.current?.data ?? data, element);
    };
    draw();
    const resized = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width > 0 && plot.current?.width !== width)
        plot.current?.setSize({ width, height: plot.current.height });
    });
    resized.observe(element);
    // A canvas keeps its colours when the colour scheme changes, so it is drawn again.
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, []);
  useEffect(() => {
    plot.current?.setData(data);
  });
  return <div class="plot" ref={container} role="img" aria-label={summary} />;
}
