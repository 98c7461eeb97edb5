import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * A button that goes with its row gives its focus to the page, so that the keyboard does not begin at the browser's own
 * buttons.
 */
export function useReturnedFocus(): RefObject<HTMLButtonElement> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const part = button.current?.parentElement;
    return () => {
      const { activeElement: focused } = document;
      // A dialog that is about to close has already lost the control that had the focus, so that nothing has it.
      if (focused === document.body || part?.contains(focused) === true) focusPage();
    };
  }, []);
  return button;
}

function focusPage(): void {
  const main = document.getElementById('main');
  main?.focus();
  // A dialog that is still open goes with the row, at the end of this task; until then the page cannot have the focus.
  if (document.activeElement !== main) queueMicrotask(() => main?.focus());
}
