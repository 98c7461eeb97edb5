import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A new step of a dialog begins at its first control, because the control that led to it is gone. */
export function useFocusInside<Part extends HTMLElement>(): RefObject<Part> {
  const part = useRef<Part>(null);
  useEffect(() => {
    part.current?.querySelector<HTMLElement>('input, select, a[href], button')?.focus();
  }, []);
  return part;
}
