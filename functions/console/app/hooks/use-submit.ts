import { useState } from 'preact/hooks';

interface Submission {
  /** The handler of the form's `submit` event. */
  submit: (event: Event) => void;
  isPending: boolean;
  /** The failure of the last submission; undefined without one. */
  error: unknown;
}

/**
 * Sends a form. While it is being sent, another submission does nothing. `hasFocus` says whether the focus is still where it was at the
 * submission; else a person went on to something else.
 */
export function useSubmit(send: (hasFocus: () => boolean) => Promise<void>): Submission {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setError(undefined);
    const { activeElement: focused } = document;
    send(() => document.activeElement === focused)
      .catch(setError)
      .finally(() => {
        setPending(false);
      });
  };
  return { submit, isPending, error };
}
