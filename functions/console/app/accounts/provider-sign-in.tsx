import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type SignInRequest, startSignIn } from '../api/account-api.ts';
import type { Account, ConnectAddress } from '../api/wire.ts';
import { FormEnd } from '../components/form-end.tsx';
import { ErrorText } from '../components/refusal.tsx';
import { useFocusInside } from '../hooks/use-focus-inside.ts';
import { useSubmit } from '../hooks/use-submit.ts';
import { SignInWait } from './sign-in-wait.tsx';

interface ProviderSignInProps {
  /** The request that the form makes. */
  requestOf: () => SignInRequest;
  onConnected: (account: Account) => Promise<void>;
  onCancel: () => void;
  /** The form before the sign-in. */
  children: ComponentChildren;
}

/** A sign-in at a provider in a new tab: a form, then waiting for its end. */
export function ProviderSignIn({ requestOf, onConnected, onCancel, children }: ProviderSignInProps) {
  const form = useFocusInside<HTMLFormElement>();
  const [address, setAddress] = useState<ConnectAddress>();
  const { submit, isPending, error } = useSubmit(async () => {
    const { data } = await startSignIn(requestOf());
    setAddress(data);
    openTab(data.url);
  });
  return (
    <form class="stack" ref={form} noValidate onSubmit={submit}>
      {address === undefined ? (
        <>
          {children}
          <FormEnd error={error} isPending={isPending} text="Continue" pendingText="Opening…" onCancel={onCancel} />
        </>
      ) : (
        <>
          <SignInWait
            key={address.attempt_id}
            address={address}
            isPending={isPending}
            onConnected={onConnected}
            onCancel={onCancel}
          />
          {error !== undefined && <ErrorText error={error} />}
        </>
      )}
    </form>
  );
}

/**
 * A browser opens a tab only on behalf of a click that is not long ago. Later, the person follows the link of the
 * dialog.
 */
function openTab(url: string): void {
  if ('userActivation' in navigator && navigator.userActivation.isActive)
    window.open(url, '_blank', 'noopener,noreferrer');
}
