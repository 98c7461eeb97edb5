import { type SignIn, openableUntil, statusOf } from '../../domain/oauth/sign-in.ts';
import { connectAddress } from '../../domain/oauth/connect-addresses.ts';

export const showConnectAddress = ({ signIn, token }: { signIn: SignIn; token: string }, publicApiUrl: string) => ({
  url: connectAddress(publicApiUrl, token),
  expires_at_ms: openableUntil(signIn),
  attempt_id: signIn.id,
});

export function showSignIn(signIn: SignIn, now: number) {
  const status = statusOf(signIn, now);
  const { confirmed, refusal } = signIn;
  return {
    status,
    ...(status === 'connected' && confirmed ? { account_id: confirmed.accountId } : {}),
    ...(status === 'refused' ? { reason: refusal } : {}),
  };
}
