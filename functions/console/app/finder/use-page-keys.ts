import { useLayoutEffect } from 'preact/hooks';
import { followLink } from '../hooks/follow-link.ts';
import { isTyping } from '../hooks/use-search-key.ts';
import { SECTIONS } from './sections.ts';

/** The second key comes within this time after `g`. */
const SEQUENCE_MS = 1_500;

const ADDRESSES = new Map<string, string>(SECTIONS.map(([href, , key]) => [key, href]));

/** `g` and a letter lead to a section, and `?` calls a function. */
export function usePageKeys(onHelp: () => void): void {
  useLayoutEffect(() => {
    let startedAt = -Infinity;
    const onKey = (event: KeyboardEvent): void => {
      const { key, timeStamp } = event;
      const hasStarted = timeStamp - startedAt < SEQUENCE_MS;
      startedAt = -Infinity;
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      // The dialog of another task stays the only one.
      if (document.querySelector('dialog[open]')) return;
      const href = hasStarted ? ADDRESSES.get(key) : undefined;
      if (href !== undefined) followLink(href);
      else if (key === '?') onHelp();
      else if (key === 'g') startedAt = timeStamp;
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
