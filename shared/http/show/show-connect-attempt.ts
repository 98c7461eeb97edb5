import { type ConnectAttempt, openableUntil, statusOf } from '../../domain/oauth/attempt.ts';
import { connectAddress } from '../../domain/oauth/connect-addresses.ts';

export const showConnectAddress = (
  { attempt, token }: { attempt: ConnectAttempt; token: string },
  publicApiUrl: string,
) => ({
  url: connectAddress(publicApiUrl, token),
  expires_at_ms: openableUntil(attempt),
  attempt_id: attempt.id,
});

export function showConnectAttempt(attempt: ConnectAttempt, now: number) {
  const status = statusOf(attempt, now);
  const { confirmed, refusal } = attempt;
  return {
    status,
    ...(status === 'connected' && confirmed ? { account_id: confirmed.accountId } : {}),
    ...(status === 'refused' ? { reason: refusal } : {}),
  };
}
