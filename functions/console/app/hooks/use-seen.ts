import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Whether an element was ever within the visible part of the page. */
export function useSeen<Part extends HTMLElement>(): [RefObject<Part>, boolean] {
  const part = useRef<Part>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const { current } = part;
    if (isSeen || !current) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [part, isSeen];
}
