import { useLayoutEffect, useRef } from 'preact/hooks';
import { followLink } from './follow-link.ts';

const SEARCH = 'input[type="search"]';
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/**
 * `/` goes to the search of the page, or to that of the sources. Answers whether a new page is to begin at its search.
 */
export function useSearchKey(): () => boolean {
  const isRequested = useRef(false);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (!focusSearch()) {
        isRequested.current = true;
        followLink('/console/sources');
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return () => {
    const isFocused = isRequested.current && focusSearch();
    isRequested.current = false;
    return isFocused;
  };
}

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>(SEARCH);
  search?.focus();
  search?.select();
  return search !== null;
}
