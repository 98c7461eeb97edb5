import { useLayoutEffect, useRef } from 'preact/hooks';
import { useSearchKey } from './use-search-key.ts';

/** The keyboard begins at the top of a new page, as after a load, or at its search. The caller draws the page. */
export function usePageStart(path: string): void {
  const isFirst = useRef(true);
  const beginsAtSearch = useSearchKey();
  // Before the next key, which may already be for the new page.
  useLayoutEffect(() => {
    if (!isFirst.current && !beginsAtSearch()) document.getElementById('main')?.focus();
    isFirst.current = false;
  }, [path]);
}
