import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A button that goes with its row gives its focus to the page, so that the keyboard does not begin at the browser's own buttons. */
export function useFocusGivenBack(): RefObject<HTMLButtonElement> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const part = button.current?.parentElement;
    return () => {
      if (part?.contains(document.activeElement) === true) focusPage();
    };
  }, []);
  return button;
}

function focusPage(): void {
  const main = document.getElementById('main');
  main?.focus();
  // A dialog that is still open goes with the row; until then the page cannot have the focus.
  if (document.activeElement !== main)
    requestAnimationFrame(() => {
      main?.focus();
    });
}
