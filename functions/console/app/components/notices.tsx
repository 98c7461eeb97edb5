import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { sentenceOf } from '../api/refused-request.ts';

/** The result of an action, with a link to more. */
export interface Notice {
  text: string;
  href: string;
  link: string;
}

interface Notices {
  /** Tells the result of an action. */
  say: (notice: string | Notice) => void;
  /** Tells why an action failed. */
  refuse: (error: unknown) => void;
}

interface NoticesState extends Notices {
  /** Removes what stays until it is dismissed. */
  leave: () => void;
}

const nothing = (): void => undefined;
const Context = createContext<NoticesState>({ say: nothing, refuse: nothing, leave: nothing });

export const useNotices = (): Notices => useContext(Context);

/**
 * Removes the notices of a page when its user leaves it. A short result passes by itself: it may be of the action that
 * led away.
 */
export function useLeaveNotices(path: string): void {
  const { leave } = useContext(Context);
  useLayoutEffect(() => leave, [path, leave]);
}

const SHOWN_MS = 8_000;

/** Results in a status region and refusals in an alert, above every page. */
export function NoticesProvider({ children }: { children: ComponentChildren }) {
  const [result, setResult] = useState<string | Notice>('');
  const [refusal, setRefusal] = useState('');

  const say = useCallback((notice: string | Notice) => {
    setRefusal('');
    setResult(notice);
  }, []);
  const refuse = useCallback((error: unknown) => {
    setResult('');
    setRefusal(sentenceOf(error));
  }, []);
  const leave = useCallback(() => {
    setRefusal('');
    setResult((shown) => (typeof shown === 'string' ? shown : ''));
  }, []);
  const notices = useMemo(() => ({ say, refuse, leave }), [say, refuse, leave]);

  useEffect(() => {
    // A link may be the only way to a run that emits and writes nothing, so it stays.
    if (result === '' || typeof result !== 'string') return undefined;
    const timer = setTimeout(() => setResult(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);

  return (
    <Context.Provider value={notices}>
      {children}
      <div class="notices">
        {/* The status region is always there: a screen reader tells changes of it. */}
        <div role="status">
          {typeof result === 'string' ? (
            result !== '' && <p class="notice">{result}</p>
          ) : (
            <LinkNotice notice={result} onDismiss={() => setResult('')} />
          )}
        </div>
        {refusal !== '' && (
          <div class="notice bad" role="alert">
            <p>{refusal}</p>
            <DismissButton onClick={() => setRefusal('')} />
          </div>
        )}
      </div>
    </Context.Provider>
  );
}

/** Stays until a person follows its link, dismisses it or leaves the page. */
const LinkNotice = ({ notice, onDismiss }: { notice: Notice; onDismiss: () => void }) => (
  <div class="notice">
    <p>
      {notice.text}{' '}
      <a href={notice.href} onClick={onDismiss}>
        {notice.link}
      </a>
    </p>
    <DismissButton onClick={onDismiss} />
  </div>
);

const DismissButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" class="quiet" aria-label="Dismiss" onClick={onClick}>
    ✕
  </button>
);
