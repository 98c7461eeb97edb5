import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { getAccount, getAttempt } from '../api/account-api.ts';
import type { Account, ConnectAddress, ConnectAttempt } from '../api/wire.ts';
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

/** Waits until a sign-in has ended, and goes on by itself. Its form makes another address. */
export function SignInWait({ address, isPending, onConnected, onCancel }: SignInWaitProps) {
  const { url, attempt_id: id, expires_at_ms: expiresMs } = address;
  const part = useFocusInside<HTMLDivElement>();
  const { refuse } = useNotices();
  const { data, error } = useQuery({
    queryKey: ['attempt', id],
    queryFn: () => readAttempt(id),
    // The address of a refused sign-in can be opened again, so that one may still succeed.
    refetchInterval: ({ state }) => (hasEnded(state.data?.attempt) ? false : POLL_MS),
  });
  const account = data?.account;
  useEffect(() => {
    if (account) onConnected(account).catch(refuse);
  }, [account?.id]);
  const { status, reason } = data?.attempt ?? { status: 'waiting' };
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
          <a href={url} target="_blank" rel="noopener noreferrer">
            Open the sign-in page
          </a>{' '}
          if your browser has not. It can be opened until <Time ms={expiresMs} />.
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

const hasEnded = (attempt: ConnectAttempt | undefined): boolean =>
  attempt?.status === 'connected' || attempt?.status === 'expired';

/** An attempt, and the account that it has connected. */
async function readAttempt(id: string): Promise<{ attempt: ConnectAttempt; account: Account | undefined }> {
  const { data: attempt } = await getAttempt(id);
  const account = attempt.account_id === undefined ? undefined : (await getAccount(attempt.account_id)).data;
  return { attempt, account };
}
