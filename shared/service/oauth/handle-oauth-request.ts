import {
  type ClientCheck,
  type ConfirmResult,
  type DoneResult,
  type ExchangeResult,
  OAuthRequest,
  type IdleResult,
  type RenewalResult,
  type RevocationResult,
  type RequestOf,
} from '../../domain/oauth/oauth-request.ts';
import type { DiscoverResult, PersonResult, SignOutResult } from '../../domain/person/identity-request.ts';
import type { LogFields, WriteLine } from '../../domain/run/log-fields.ts';
import { confirmPerson, discoverProvider, identifyPerson, signOutAddressOf } from '../identity/handle-identity.ts';
import type { IdentityContext } from '../identity/identity-context.ts';
import { exchangeCode } from './exchange-code.ts';
import type { ReadClientContext } from './client-reader.ts';
import { renewAccount, type RenewAccountContext } from './renew-account.ts';
import { type IdleContext, renewIdleAccounts } from './renew-idle-accounts.ts';
import { type SignInContext, signInWithAuthorization } from './sign-in-context.ts';
import { storeSignIn } from './store-sign-in.ts';
import type { OAuthClientStore } from '../../store/accounts/oauth-clients.ts';
import { revokeAuthorization } from './revoke-authorization.ts';
import { isLoginInUse } from './login-in-use.ts';

interface OAuthContext extends RenewAccountContext, Omit<SignInContext, 'accounts'>, Omit<IdentityContext, 'vault'> {
  clients: IdleContext['clients'] & ReadClientContext['clients'];
  accounts: RenewAccountContext['accounts'] & SignInContext['accounts'];
  publicApiUrl: string;
  writeLine: WriteLine;
}

type AccountsResult =
  | IdleResult
  | RenewalResult
  | ExchangeResult
  | ConfirmResult
  | RevocationResult
  | ClientCheck
  | DoneResult;
type Result = AccountsResult | DiscoverResult | PersonResult | SignOutResult;

/** Parses a request to the function that renews, and executes it. */
export const createOAuthHandler =
  (context: OAuthContext) =>
  async (event: unknown): Promise<Result> => {
    const request = OAuthRequest.parse(event);
    const result = await executeRequest(context, request);
    const subject = subjectOf(request);
    const reason = 'reason' in result && 'session' in request ? { reason: result.reason } : {};
    context.writeLine(LINES[request.kind], () => ({ ...subject, state: result.state, ...reason }));
    return result;
  };

function subjectOf(request: OAuthRequest): LogFields {
  if ('accountId' in request) return { account: request.accountId };
  if ('clientId' in request) return { client: request.clientId };
  if ('session' in request) return { session: request.session };
  if ('issuer' in request) return { issuer: request.issuer };
  return 'attemptId' in request ? { attempt: request.attemptId } : { client: request.after?.client };
}

const LINES = {
  renew: 'account.renewal',
  exchange: 'account.exchange',
  confirm: 'account.confirmation',
  drop: 'account.drop',
  revoke: 'account.revocation',
  'renew-idle': 'account.idle_renewal',
  'check-client': 'client.check',
  discover: 'identity.discovery',
  identify: 'identity.sign_in',
  'confirm-person': 'identity.confirmation',
  'sign-out': 'identity.sign_out',
} as const satisfies Record<OAuthRequest['kind'], string>;

function executeRequest(context: OAuthContext, request: OAuthRequest): Promise<Result> {
  switch (request.kind) {
    case 'renew':
      return renewAccount(context, request);
    case 'exchange':
      return exchangeCode(context, request);
    case 'confirm':
      return storeSignIn(context, request);
    case 'drop':
      return dropAuthorization(context, request);
    case 'renew-idle':
      return renewIdleAccounts(context, request);
    case 'check-client':
      return checkClient(context, request);
    case 'revoke':
      return revokeAccount(context, request);
    case 'discover':
      return discoverProvider(context, request);
    case 'identify':
      return identifyPerson(context, request);
    case 'confirm-person':
      return confirmPerson(context, request);
    case 'sign-out':
      return signOutAddressOf(context, request);
  }
}

/** Whether the secret of a client can be decrypted, past the cache. The response has no part of it. */
async function checkClient(
  { clients, vault }: { clients: Pick<OAuthClientStore, 'find'>; vault: ReadClientContext['vault'] },
  { clientId: id }: RequestOf<'check-client'>,
): Promise<ClientCheck> {
  const client = await clients.find(id);
  if (!client) return { state: 'gone' };
  const { secret: sealed } = client;
  if (sealed === undefined) return { state: 'usable' };
  return vault.decrypt({ id, ownerId: 'operator', sealed }).then(
    (): ClientCheck => ({ state: 'usable' }),
    (): ClientCheck => ({ state: 'unreadable' }),
  );
}

const DONE: DoneResult = { state: 'done' };

/** Revokes and drops the tokens of an authorization that was not confirmed in time. */
async function dropAuthorization(context: SignInContext, request: RequestOf<'drop'>): Promise<DoneResult> {
  const { signIns } = context;
  const found = await signInWithAuthorization(context, request);
  if (!found) return DONE;
  const { signIn, authorization } = found;
  if (authorization.status === 'confirmed') {
    // The process that stored the account died.
    await storeSignIn(context, { ...request, kind: 'confirm' });
    return DONE;
  }
  if (authorization.tokens === undefined) return DONE;
  const ended =
    authorization.status === 'ended'
      ? authorization
      : await signIns.changeAuthorization(authorization, { status: 'ended' });
  // Changed meanwhile: by a confirmation, or by another drop. The caller repeats this.
  if (!ended) throw new Error('The authorization was changed meanwhile');
  await revokeAuthorization(context, signIn, ended);
  return DONE;
}

/** Revokes the tokens of an account that is about to be removed. */
async function revokeAccount(
  context: Pick<SignInContext, 'accounts' | 'logins' | 'vault' | 'readClient' | 'requests'>,
  { accountId }: RequestOf<'revoke'>,
): Promise<RevocationResult> {
  const { accounts, logins, vault, readClient, requests } = context;
  const account = await accounts.find(accountId);
  const { oauth } = account ?? {};
  if (!account || !oauth) return { state: 'not_revoked' };
  await logins.remove(oauth, accountId);
  if (await isLoginInUse(context, oauth, accountId)) return { state: 'kept' };
  const { id, ownerId } = account;
  const client = await readClient({ client: oauth.client, ownerId, parameters: oauth.parameters });
  if (!client || client.clientId !== oauth.clientId) return { state: 'not_revoked' };
  const { oauth_access_token: accessToken = '' } = await vault.decrypt(account);
  const renewal =
    oauth.renewal === undefined
      ? undefined
      : await vault.decrypt({ id, ownerId, part: 'renewal', sealed: oauth.renewal });
  const isRevoked = await requests.revoke(client, { accessToken, refreshToken: renewal?.['refresh_token'] });
  return { state: isRevoked ? 'revoked' : 'not_revoked' };
}
