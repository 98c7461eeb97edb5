import { type Account, type AccountSettings, nameOfAccount } from '../../domain/account/account.ts';
import type { WithWireFields } from '../settings/wire-fields.ts';
import { seconds } from './show.ts';
import { type SignIn, openableUntil, statusOf } from '../../domain/oauth/sign-in.ts';
import { connectAddress } from '../../domain/oauth/connect-addresses.ts';

/** A value of a field is never shown. */
export function showAccount(account: Account, usedBy: number) {
  const { id, app, fieldNames, createdAt, oauth } = account;
  return {
    id,
    app,
    name: nameOfAccount(account),
    kind: oauth ? 'oauth' : 'fields',
    field_names: fieldNames,
    status: oauth?.status ?? 'connected',
    status_reason: oauth?.statusReason ?? null,
    scopes: oauth?.scopes ?? null,
    expires_at_ms: oauth?.expiresAt ?? null,
    connected_at_ms: oauth?.connectedAt ?? null,
    renewed_at_ms: oauth?.renewedAt ?? null,
    created_at: seconds(createdAt),
    used_by: usedBy,
  } satisfies WithWireFields<Omit<AccountSettings, 'fields'>, unknown>;
}

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
