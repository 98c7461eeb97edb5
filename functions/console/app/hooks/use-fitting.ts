import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The last step: no column is left out, and rows are stacked. The steps before leave out the columns `widest`, then the columns `wide`. */
export const STACKED = 3;

export const frameClass = (step: number): string =>
  step === STACKED ? 'table-frame stacked' : `table-frame without-${step}`;

/** How many steps a table needs, so that it is not wider than its frame. */
export function useFitting(frame: RefObject<HTMLElement>, isOn: boolean): number {
  const [step, setStep] = useState(0);
  const measure = (): void => {
    if (isOn && frame.current) setStep(neededSteps(frame.current));
  };
  // Each drawing may have wider rows, or narrower ones.
  useLayoutEffect(measure);
  // The window changes between drawings, and so do times.
  useLayoutEffect(() => {
    const table = frame.current?.firstElementChild;
    if (!isOn || !table) return undefined;
    const sizes = new ResizeObserver(() => {
      requestAnimationFrame(measure);
    });
    sizes.observe(table);
    return () => {
      sizes.disconnect();
    };
  }, [isOn]);
  return step;
}

const fits = (frame: HTMLElement): boolean => frame.scrollWidth <= frame.clientWidth;

/** Tries the steps. None of them is painted. */
function neededSteps(frame: HTMLElement): number {
  const { className } = frame;
  if (className === frameClass(0) && fits(frame)) return 0;
  // Otherwise a page that becomes shorter for a moment is scrolled.
  frame.style.minHeight = `${frame.offsetHeight}px`;
  let step = 0;
  for (; step < STACKED; step += 1) {
    frame.className = frameClass(step);
    if (fits(frame)) break;
  }
  frame.className = className;
  frame.style.minHeight = '';
  return step;
}
