import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** The columns `widest`, then the columns `wide`, then all: rows are stacked. */
const STEPS = 3;

/** How many steps of leaving columns out a table needs, so that it is not wider than its frame. */
export function useFitting(
  frame: RefObject<HTMLElement>,
  isOn: boolean,
): { step: number; isStacked: boolean } {
  const [{ step }, setFitting] = useState({ step: 0 });
  // Each drawing may have wider rows.
  useLayoutEffect(() => {
    const { current } = frame;
    if (isOn && current && step < STEPS && current.scrollWidth > current.clientWidth)
      setFitting({ step: step + 1 });
  });
  useEffect(() => {
    const again = (): void => {
      // A new object, so that the table is drawn and measured again.
      setFitting({ step: 0 });
    };
    addEventListener('resize', again);
    return () => {
      removeEventListener('resize', again);
    };
  }, []);
  return { step, isStacked: step === STEPS };
}
