import { useEffect, useState } from 'preact/hooks';
import { useVisible } from '../hooks/use-visible.ts';
import { sectionsOf } from './problem-of.ts';
import { useAttention } from './use-attention.ts';

/** The navigation is on every page, so its dots are read seldom. */
const POLL_MS = 60_000;
/** The data of the page itself is read first. */
const FIRST_MS = 1_000;

/** Tells whether something in a section of the navigation needs attention. */
export function useMarkedSections(): (href: string) => boolean {
  const [isLater, setLater] = useState(false);
  const isVisible = useVisible();
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), FIRST_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useAttention(POLL_MS, isLater && isVisible);
  const marked = data && sectionsOf(data.problems);
  return (href) => marked?.has(href) === true;
}

/** The id of the words beside a marked link, which describe it to screen readers. */
export const markIdOf = (href: string): string => `attention${href.replaceAll('/', '-')}`;

/** A dot in the link of a section. */
export const NavMark = () => <span class="dot attention-dot" aria-hidden="true" title="Needs attention" />;
