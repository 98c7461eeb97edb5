import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Bar } from './chart-range.ts';
import { onThemeChange } from '../theme/theme.ts';
import { plotOptions, type PlotLook } from './plot-options.ts';

export interface PlotProps extends Omit<PlotLook, 'marks'>, Partial<Pick<PlotLook, 'marks'>> {
  /** Heights of the bars, or points of the lines: one list per colour. Later ones are drawn over earlier ones. */
  heights: readonly (readonly (number | null)[])[];
  /** Says the same to screen readers. */
  summary: string;
  /** Is told the bar at the pointer, undefined for none, and the distance of the pointer from the left edge. */
  onHover?: (bar: number | undefined, leftPx: number) => void;
  onPick?: (bar: number) => void;
}

const middleOf = ({ fromMs, untilMs }: Bar): number => (fromMs + untilMs) / 2;

/** Bars or lines over time. The number of colours stays as it was at first. */
export function Plot({ heights, summary, marks = [], ...props }: PlotProps) {
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef({ ...props, marks });
  latest.current = { ...props, marks };
  const data: uPlot.AlignedData = [props.bars.map(middleOf), ...heights.map((each) => [...each])];

  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const pick = (): void => {
      const bar = plot.current?.cursor.idx;
      if (bar != null) latest.current.onPick?.(bar);
    };
    const draw = (): void => {
      const shown = plot.current?.data ?? data;
      plot.current?.destroy();
      const options = plotOptions(
        element,
        () => latest.current,
        latest.current.onHover && ((...at) => latest.current.onHover?.(...at)),
      );
      plot.current = new uPlot(options, shown, element);
      plot.current.over.addEventListener('click', pick);
    };
    draw();
    const resized = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width > 0 && plot.current?.width !== width) plot.current?.setSize({ width, height: plot.current.height });
    });
    resized.observe(element);
    // A canvas keeps its colours when the theme changes, so it is drawn again.
    const forget = onThemeChange(draw);
    return () => {
      resized.disconnect();
      forget();
      plot.current?.destroy();
      plot.current = null;
    };
  }, []);
  // The pointer makes a chart show the values at it: that draws nothing new.
  const drawn = JSON.stringify([data, marks]);
  useEffect(() => plot.current?.setData(data), [drawn]);
  return <div class={props.onPick ? 'plot picks' : 'plot'} ref={container} role="img" aria-label={summary} />;
}
