import { useState } from 'preact/hooks';

interface Submission {
  /** The handler of the form's `submit` event. */
  submit: (event: Event) => void;
  isPending: boolean;
  /** The failure of the last submission; undefined without one. */
  error: unknown;
}

/** Sends a form. While it is being sent, another submission does nothing. */
export function useSubmit(send: () => Promise<void>): Submission {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setError(undefined);
    send()
      .catch(setError)
      .finally(() => {
        setPending(false);
      });
  };
  return { submit, isPending, error };
}
