import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * A new step of a dialog begins at its first control, because the control that led to it is gone. A browser keeps
 * `autofocus` outside of dialogs only for the first element that ever has it.
 */
export function useFocusInside<Part extends HTMLElement>(): RefObject<Part> {
  const part = useRef<Part>(null);
  useLayoutEffect(() => part.current?.querySelector<HTMLElement>('input, select, a[href], button')?.focus(), []);
  return part;
}
