import type uPlot from 'uplot';
import type { Bar } from './chart-range.ts';
import type { Mark } from './marks.ts';

/** Colours of the page, which a canvas does not take over by itself. */
export type Colours = (name: string) => string;

export interface Drawn {
  bars: readonly Bar[];
  marks: readonly Mark[];
  /** A part of the time that is listed. */
  chosen: Bar | undefined;
}

/** The font of labels, for a canvas with so many pixels per pixel of the page. */
export const labelFont = (scale: number): string => `${12 * scale}px system-ui, sans-serif`;

/** Draws a band behind the part of the time that is listed. */
export function drawChosen(plot: uPlot, { chosen }: Drawn, colour: Colours): void {
  if (!chosen) return;
  const { ctx, bbox } = plot;
  const within = (ms: number): number =>
    Math.min(Math.max(plot.valToPos(ms, 'x', true), bbox.left), bbox.left + bbox.width);
  const [left, right] = [within(chosen.fromMs), within(chosen.untilMs)];
  ctx.save();
  ctx.fillStyle = colour('--accent-soft');
  ctx.fillRect(left, bbox.top, right - left, bbox.height);
  ctx.restore();
}

/** Draws the marks as dashed lines over the whole height. A label stands on the side that has more room. */
export function drawMarks(plot: uPlot, { marks, bars }: Drawn, colour: Colours): void {
  const { ctx, bbox } = plot;
  const [fromMs, untilMs] = [bars[0]?.fromMs ?? 0, bars.at(-1)?.untilMs ?? 0];
  const px = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colour('--text');
  ctx.fillStyle = colour('--text');
  ctx.font = labelFont(px);
  ctx.textBaseline = 'top';
  ctx.lineWidth = px;
  ctx.setLineDash([4 * px, 3 * px]);
  for (const [n, { ms, label }] of marks.filter(({ ms: at }) => at >= fromMs && at < untilMs).entries()) {
    const x = plot.valToPos(ms, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const isLeft = x > bbox.left + bbox.width / 2;
    ctx.textAlign = isLeft ? 'right' : 'left';
    ctx.fillText(label, x + (isLeft ? -4 : 4) * px, bbox.top + n * 14 * px);
  }
  ctx.restore();
}
