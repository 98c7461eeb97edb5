import { useLocation } from 'preact-iso/router';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { guardHistory } from '../hooks/guard-history.ts';
import { Question } from './question.tsx';

interface UnsavedGuardProps {
  isUnsaved: boolean;
  /** Whether the changes are restored when the page is opened again. */
  isKept?: boolean;
}

/** How the page would be left: by a link to an address, or by a button of the browser. */
type Leaving = { address: string } | 'history';

/**
 * Asks before a page with unsaved changes is left: by a link, by the browser's buttons, by a reload or the end of the
 * tab.
 */
export function UnsavedGuard({ isUnsaved, isKept = false }: UnsavedGuardProps) {
  const { url, route } = useLocation();
  const [leaving, setLeaving] = useState<Leaving>();
  /** The page may be left now. */
  const isFree = useRef(false);
  const shownUrl = useRef(url);
  shownUrl.current = url;

  // Before the page is drawn: the first typed character is guarded already.
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined;
    const askBrowser = (event: Event): void => event.preventDefault();
    const onClick = (event: MouseEvent): void => {
      const address = addressOf(event);
      if (address === undefined || isFree.current) return;
      event.preventDefault();
      event.stopPropagation();
      setLeaving({ address });
    };
    // The address has changed already. It is set back, and the router does not learn of it.
    const onPop = (event: PopStateEvent): void => {
      if (isFree.current || location.pathname === new URL(shownUrl.current, location.origin).pathname) return;
      event.stopImmediatePropagation();
      history.pushState(null, '', shownUrl.current);
      setLeaving('history');
    };
    addEventListener('beforeunload', askBrowser);
    addEventListener('click', onClick, true);
    const endOfGuard = guardHistory(onPop);
    return () => {
      endOfGuard();
      removeEventListener('beforeunload', askBrowser);
      removeEventListener('click', onClick, true);
    };
  }, [isUnsaved]);

  const stay = (): void => setLeaving(undefined);
  const leave = (): void => {
    isFree.current = true;
    setLeaving(undefined);
    if (leaving === 'history') history.back();
    else if (leaving) route(leaving.address);
  };
  return (
    <Question
      isOpen={leaving !== undefined}
      title="Leave without saving?"
      yes="Leave"
      no="Stay"
      isDangerous={!isKept}
      onYes={leave}
      onNo={stay}
    >
      {isKept
        ? 'The changes stay in this tab as a draft, which is restored when you come back.'
        : 'The changes on this page are lost.'}
    </Question>
  );
}

/** The address of another page of the console that a click leads to in this tab. */
function addressOf(event: MouseEvent): string | undefined {
  const { button, ctrlKey, metaKey, shiftKey, altKey, target } = event;
  if (event.defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return undefined;
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link || link.origin !== location.origin || link.pathname === location.pathname) return undefined;
  if (link.target !== '' || link.download !== '' || !link.pathname.startsWith('/console')) return undefined;
  return `${link.pathname}${link.search}`;
}
