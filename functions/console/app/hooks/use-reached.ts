import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Pixels below the visible part of the page: a fast reader sees no end of the list. */
const AHEAD = '600px';

/** Calls a function when a person scrolls to an element. */
export function useReached<Part extends HTMLElement>(isOn: boolean, onReached: () => unknown): RefObject<Part> {
  const part = useRef<Part>(null);
  useEffect(() => {
    const { current } = part;
    if (!isOn || !current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        onReached();
      },
      { rootMargin: `0px 0px ${AHEAD} 0px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isOn, onReached]);
  return part;
}
