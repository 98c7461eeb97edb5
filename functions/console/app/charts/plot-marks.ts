import type uPlot from 'uplot';
import type { Bar } from './chart-range.ts';
import type { Mark } from './marks.ts';

/** Colours of the page, which a canvas does not take over by itself. */
export type Colours = (name: string) => string;

export interface Drawn {
  bars: readonly Bar[];
  marks: readonly Mark[];
}

/** The font of labels, for a canvas with so many pixels per pixel of the page. */
export const labelFont = (scale: number): string => `${12 * scale}px system-ui, sans-serif`;

const LABEL_PX = 14;

const drawnMarks = ({ marks, bars }: Drawn): readonly Mark[] => {
  const [fromMs, untilMs] = [bars[0]?.fromMs ?? 0, bars.at(-1)?.untilMs ?? 0];
  return marks.filter(({ ms }) => ms >= fromMs && ms < untilMs);
};

/** The height of the labels of marks, in pixels of the page. */
export const labelsHeight = (drawn: Drawn): number => drawnMarks(drawn).length * LABEL_PX;

/** Draws the marks as dashed lines over the whole height, each with its label above the plot. */
export function drawMarks(plot: uPlot, drawn: Drawn, colour: Colours): void {
  const { ctx, bbox } = plot;
  const px = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colour('--text');
  ctx.fillStyle = colour('--text');
  ctx.font = labelFont(px);
  ctx.textBaseline = 'bottom';
  ctx.lineWidth = px;
  ctx.setLineDash([4 * px, 3 * px]);
  for (const [n, { ms, label }] of drawnMarks(drawn).entries()) {
    const x = plot.valToPos(ms, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - (n + 1) * LABEL_PX * px);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    // It stands on the side that has more room.
    const isLeft = x > bbox.left + bbox.width / 2;
    ctx.textAlign = isLeft ? 'right' : 'left';
    ctx.fillText(label, x + (isLeft ? -4 : 4) * px, bbox.top - n * LABEL_PX * px);
  }
  ctx.restore();
}
