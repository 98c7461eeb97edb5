import { useState } from 'preact/hooks';
import { ApiError } from '../api/refused-request.ts';

interface Submission {
  /** The handler of the form's `submit` event. */
  submit: (event: Event) => void;
  isPending: boolean;
  /**
   * The failure of the last submission; undefined without one. A refusal of the service stays until the next
   * submission.
   */
  error: unknown;
}

/** A box that a person types in, and one that is chosen from. */
const CHANGES = ['input', 'change'] as const;

/**
 * Sends a form. While it is being sent, another submission does nothing. `hasFocus` says whether the focus is still
 * where it was at the submission; else a person went on to something else.
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
    const { currentTarget: form } = event;
    send(() => document.activeElement === focused)
      .catch((failure: unknown) => {
        setError(failure);
        if (failure instanceof ApiError) return;
        // The form itself named one problem, which a change may have solved.
        // After both events of a box that is ticked: drawn between them, the box would lose the click.
        const forget = (): void =>
          void setTimeout(() => setError((shown: unknown) => (shown === failure ? undefined : shown)));
        for (const change of CHANGES) form?.addEventListener(change, forget, { once: true });
      })
      .finally(() => setPending(false));
  };
  return { submit, isPending, error };
}
