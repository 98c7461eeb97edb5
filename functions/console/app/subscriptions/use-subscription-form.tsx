import { useLocation } from 'preact-iso/router';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Allowed } from '../api/rights.tsx';
import type { Directory } from '../hooks/use-directory.ts';
import { SubscriptionForm, type SubscriptionFormProps } from './subscription-form.tsx';

/** A link that chooses one of them opens the form. */
const CHOICES = ['emitter', 'stream', 'listener'];

/** The form of a new subscription, which stands above the list, and the button that opens it. */
export function useSubscriptionForm(props: Omit<SubscriptionFormProps, 'directory' | 'onAdded'>) {
  const { query } = useLocation();
  const isChosen = CHOICES.some((name) => query[name] !== undefined);
  const [isAdding, setAdding] = useState(isChosen);
  useEffect(() => {
    if (isChosen) setAdding(true);
  }, [isChosen]);
  const opener = useRef<HTMLButtonElement>(null);
  const added = (hasFocus: boolean): void => {
    setAdding(false);
    if (hasFocus) opener.current?.focus();
  };
  return {
    button: (
      <Allowed>
        <button
          ref={opener}
          type="button"
          // The head of a source has a primary button of its own.
          class={isAdding || props.emitterId !== undefined ? undefined : 'primary'}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          {props.title}
        </button>
      </Allowed>
    ),
    formWith: (directory: Directory) =>
      isAdding && <SubscriptionForm {...props} directory={directory} onAdded={added} />,
  };
}
