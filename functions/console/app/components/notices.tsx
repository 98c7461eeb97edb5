import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
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

const Context = createContext<Notices>({ say: () => undefined, refuse: () => undefined });

export const useNotices = (): Notices => useContext(Context);

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
  const notices = useMemo(() => ({ say, refuse }), [say, refuse]);

  useEffect(() => {
    // A link may be the only way to a run that emits and writes nothing, so it stays.
    if (result === '' || typeof result !== 'string') return undefined;
    const timer = setTimeout(() => {
      setResult('');
    }, SHOWN_MS);
    return () => {
      clearTimeout(timer);
    };
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
            <LinkNotice
              notice={result}
              onDismiss={() => {
                setResult('');
              }}
            />
          )}
        </div>
        {refusal !== '' && (
          <div class="notice bad" role="alert">
            <p>{refusal}</p>
            <DismissButton
              onClick={() => {
                setRefusal('');
              }}
            />
          </div>
        )}
      </div>
    </Context.Provider>
  );
}

/** Stays until a person follows its link or dismisses it. */
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
