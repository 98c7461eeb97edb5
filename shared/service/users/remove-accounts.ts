import type { UserId } from '../../domain/id.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import { revokeTokens, type RevokeTokensContext } from '../accounts/revoke-tokens.ts';

export interface RemoveAccountsServices extends RevokeTokensContext {
  accounts: Pick<AccountStore, 'list' | 'remove'>;
  now(): number;
}

interface Removed {
  count: number;
  /** Accounts whose tokens may still work at the provider. */
  unrevoked: number;
}

/** Time in which tokens are revoked; the accounts that are left then are removed without it. */
const REVOKING_MS = MINUTE_MS;
/** Accounts whose tokens are revoked at the same time. */
const CHUNK = 10;

/**
 * Revokes the tokens of a user's accounts, as far as providers answer in time, and removes the accounts. An account
 * whose tokens were revoked when the command was interrupted needs a new sign-in, until a repetition of the command
 * removes it.
 */
export async function removeAccountsOf(
  { accounts, oauthFunction, now }: RemoveAccountsServices,
  ownerId: UserId,
): Promise<Removed> {
  const found = await accounts.list(ownerId);
  const giveUpAt = now() + REVOKING_MS;
  let unrevoked = 0;
  for (let from = 0; from < found.length; from += CHUNK) {
    const chunk = found.slice(from, from + CHUNK);
    const revoked = await Promise.all(
      chunk.map((account) =>
        now() < giveUpAt ? revokeTokens({ oauthFunction }, account) : account.oauth === undefined,
      ),
    );
    unrevoked += revoked.filter((isRevoked) => !isRevoked).length;
    // One after the other: each changes the count of the user's accounts.
    for (const account of chunk) await accounts.remove(account);
  }
  return { count: found.length, unrevoked };
}
