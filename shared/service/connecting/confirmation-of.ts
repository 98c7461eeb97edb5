import { nameOfAccount } from '../../domain/account/account.ts';
import type { SignIn } from '../../domain/oauth/sign-in.ts';
import type { OAuthClient } from '../../domain/oauth/oauth-client.ts';
import { titleOf } from '../../domain/oauth/resolve-client.ts';
import type { ConnectContext } from './connect-context.ts';
import type { Confirmation } from './connect-outcome.ts';

interface ConfirmationInput {
  signIn: SignIn;
  client: OAuthClient;
  login: string | undefined;
  /** Undefined when the provider does not say. */
  granted: readonly string[] | undefined;
  state: string;
  confirmation: string;
}

/** The question before an account is stored: the login, and the user that gets it. */
export async function confirmationOf(
  context: Pick<ConnectContext, 'users' | 'accounts'>,
  { signIn, client, login, granted, state, confirmation }: ConfirmationInput,
): Promise<Confirmation> {
  const user = await context.users.find(signIn.ownerId);
  return {
    username: user?.username ?? signIn.ownerId,
    app: signIn.app,
    provider: titleOf(client),
    login,
    scopes: granted ?? signIn.scopes,
    missingScopes: granted === undefined ? [] : signIn.scopes.filter((scope) => !granted.includes(scope)),
    reconnects: await reconnected(context, signIn, login),
    state,
    confirmation,
  };
}

async function reconnected(
  { accounts }: Pick<ConnectContext, 'accounts'>,
  { accountId }: SignIn,
  login: string | undefined,
): Promise<Confirmation['reconnects']> {
  const account = accountId === undefined ? undefined : await accounts.find(accountId);
  if (!account) return undefined;
  const before = account.oauth?.uid;
  return { name: nameOfAccount(account), login: before, isOtherLogin: before !== login };
}
