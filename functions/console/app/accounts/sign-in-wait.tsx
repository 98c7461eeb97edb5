import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { getAccount, getSignIn } from '../api/account-api.ts';
import type { Account, ConnectAddress, AccountSignIn } from '../api/wire.ts';
import { SubmitButton } from '../components/buttons/submit-button.tsx';
import { useNotices } from '../components/notices.tsx';
import { ErrorText, Refusal } from '../components/refusal.tsx';
import { Time } from '../components/time.tsx';
import { useFocusInside } from '../hooks/use-focus-inside.ts';

const POLL_MS = 1_500;

interface SignInWaitProps {
  address: ConnectAddress;
  /** Whether another address is being made. */
  isPending: boolean;
  onConnected: (account: Account) => Promise<void>;
  onCancel: () => void;
}

/** Waits until a sign-in has ended, then continues by itself. Its form makes another address. */
export function SignInWait({ address, isPending, onConnected, onCancel }: SignInWaitProps) {
  const { url, attempt_id: id, expires_at_ms: expiresMs } = address;
  const part = useFocusInside<HTMLDivElement>();
  const { refuse } = useNotices();
  const { data, error } = useQuery({
    queryKey: ['sign-in', id],
    queryFn: () => readSignIn(id),
    // The address of a refused sign-in can be opened again, so that one may still succeed.
    refetchInterval: ({ state }) => (hasEnded(state.data?.signIn) ? false : POLL_MS),
  });
  const account = data?.account;
  useEffect(() => {
    if (account) onConnected(account).catch(refuse);
  }, [account?.id]);
  const { status, reason } = data?.signIn ?? { status: 'waiting' };
  return (
    <div class="stack" ref={part}>
      <p role="status">
        {status === 'waiting' && 'Waiting for the sign-in in the new tab. This dialog goes on by itself.'}
      </p>
      {status === 'refused' && (
        <Refusal>
          <p>The account was not connected. {reason}</p>
        </Refusal>
      )}
      {status === 'expired' && (
        <Refusal>
          <p>The account was not connected in time.</p>
        </Refusal>
      )}
      {error != null && <ErrorText error={error} />}
      {status === 'waiting' && (
        <p class="hint">
          No new tab?{' '}
          <a href={url} target="_blank" rel="noopener noreferrer">
            Open the sign-in page
          </a>{' '}
          (good until <Time ms={expiresMs} />
          ).
        </p>
      )}
      <div class="actions end">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        {status !== 'waiting' && (
          <SubmitButton isPending={isPending} pendingText="Opening…">
            Try again
          </SubmitButton>
        )}
      </div>
    </div>
  );
}

const hasEnded = (signIn: AccountSignIn | undefined): boolean =>
  signIn?.status === 'connected' || signIn?.status === 'expired';

/** A sign-in, and the account that it has connected. */
async function readSignIn(id: string): Promise<{ signIn: AccountSignIn; account: Account | undefined }> {
  const { data: signIn } = await getSignIn(id);
  const account = signIn.account_id === undefined ? undefined : (await getAccount(signIn.account_id)).data;
  return { signIn, account };
}
