import type { Vault } from '../../aws/vault.ts';
import type { Account } from '../../domain/account/account.ts';
import type { AccountId } from '../../domain/id.ts';
import { isLive, isPostponed, tokenState } from '../../domain/oauth/access-token.ts';
import type { OAuthGrant } from '../../domain/oauth/grant.ts';
import { endedGrant, postponedGrant, renewedGrant } from '../../domain/oauth/renewal.ts';
import type { RenewalResult } from '../../domain/oauth/oauth-request.ts';
import type { TokenOutcome, Tokens } from '../../domain/oauth/tokens.ts';
import type { AccountChange, AccountStore } from '../../store/accounts.ts';

/** The provider of an account, as the client that is registered now. */
export interface AccountProvider {
  /** The id of the client at the provider. */
  readonly clientId: string;
  /** Sends the refresh token. */
  refresh(refreshToken: string): Promise<TokenOutcome>;
  /** Asks the identity address whether the access token is valid; undefined if the provider does not tell. */
  isValid(accessToken: string): Promise<boolean | undefined>;
  /** Revokes tokens that no account holds, unless another account has the same login; never throws. */
  revoke(tokens: Tokens): Promise<void>;
}

export interface RenewAccountContext {
  accounts: Pick<AccountStore, 'find' | 'change'>;
  vault: Pick<Vault, 'open' | 'seal'>;
  /** Undefined when the operator has deleted the client. */
  openProvider(account: ConnectedAccount): Promise<AccountProvider | undefined>;
  /** The beginning of the holders of this epoch: a lease of another one is void, because its process has ended. */
  epochPrefix: string;
  newHolder(): string;
  now(): number;
}

/** An account of kind `oauth`. */
export type ConnectedAccount = Account & { oauth: OAuthGrant };

/** Longer than the limit of a token request and the writes after it. */
const LEASE_MS = 30_000;
const NO_REFRESH_TOKEN =
  'The access token has expired, and the provider gave no refresh token: connect the account again.';
const REFUSED = 'The provider refuses the access token and gave no refresh token: connect the account again.';
const NO_CLIENT =
  'The OAuth client of the app is no longer registered: the operator registers it with `admin oauth-clients add`.';
const OTHER_CLIENT = 'The operator registered another OAuth client for the app: connect the account again.';

interface RenewAccountInput {
  accountId: AccountId;
  /** Time limit of the call that needs the token. */
  callMs: number;
  /** Renews also a token that suffices. */
  isForced?: boolean;
}

/**
 * Renews the access token of an account. One renewal of an account is in progress at a time, on however many functions: it holds the lease
 * on the account's item. A token answer is stored before its access token is used, and only while the lease is still that of this renewal.
 * When the process dies between sending and storing, the next renewal sends the same refresh token after the lease has ended.
 */
export async function renewAccount(
  context: RenewAccountContext,
  { accountId, callMs, isForced = false }: RenewAccountInput,
): Promise<RenewalResult> {
  const { accounts, now } = context;
  for (;;) {
    const account = await accounts.find(accountId);
    if (!isConnected(account)) return { state: 'done' };
    const { oauth } = account;
    const state = tokenState(oauth, { now: now(), callMs });
    if (state === 'needs_reconnect' || (state === 'usable' && !isForced)) return { state: 'done' };
    if (isLeased(context, oauth)) return { state: 'busy' };
    if (isPostponed(oauth, now())) return { state: 'done' };
    const holder = context.newHolder();
    const leased = await accounts.change(account, {
      oauth: { ...oauth, lease: { holder, until: now() + LEASE_MS } },
    });
    if (!isConnected(leased)) continue;
    await renewLeased(context, leased, holder);
    return { state: 'done' };
  }
}

const isConnected = (account: Account | undefined): account is ConnectedAccount =>
  account?.oauth !== undefined;

/** A clock that was set back does not make a lease longer. */
function isLeased({ epochPrefix, now }: RenewAccountContext, { lease }: OAuthGrant): boolean {
  const left = (lease?.until ?? 0) - now();
  return left > 0 && left <= LEASE_MS && lease?.holder.startsWith(epochPrefix) === true;
}

async function renewLeased(
  context: RenewAccountContext,
  account: ConnectedAccount,
  holder: string,
): Promise<void> {
  const { openProvider, vault, now } = context;
  const { oauth } = account;
  const postpone = (failure: { reason: string; retryAfterMs?: number | undefined }) =>
    storeGrant(context, account, holder, (grant) => postponedGrant(grant, { ...failure, now: now() }));
  const end = (reason: string) => storeGrant(context, account, holder, (grant) => endedGrant(grant, reason));
  const provider = await openProvider(account);
  if (!provider) return postpone({ reason: NO_CLIENT });
  if (provider.clientId !== oauth.clientId) return end(OTHER_CLIENT);
  if (oauth.renewal === undefined) return withoutRefreshToken(context, { account, holder, provider });
  const { refresh_token: refreshToken = '' } = await vault.open({
    id: account.id,
    ownerId: account.ownerId,
    part: 'renewal',
    sealed: oauth.renewal,
  });
  const outcome = await provider.refresh(refreshToken);
  switch (outcome.kind) {
    case 'void':
      return end(outcome.reason);
    case 'passing':
      return postpone(outcome);
    case 'tokens':
      return storeTokens(context, { account, holder, provider }, outcome.tokens);
  }
}

interface LeasedAccount {
  account: ConnectedAccount;
  holder: string;
  provider: AccountProvider;
}

/** Only a status 401 or the end of the access token leads here. */
async function withoutRefreshToken(
  context: RenewAccountContext,
  { account, holder, provider }: LeasedAccount,
): Promise<void> {
  const { vault, now } = context;
  const { oauth } = account;
  const change = (to: (grant: OAuthGrant) => OAuthGrant) => storeGrant(context, account, holder, to);
  if (!isLive(oauth, now())) return change((grant) => endedGrant(grant, NO_REFRESH_TOKEN));
  const { oauth_access_token: accessToken = '' } = await vault.open(account);
  if ((await provider.isValid(accessToken)) === false) return change((grant) => endedGrant(grant, REFUSED));
  return change((grant) => {
    const { lease: _lease, isRefused: _isRefused, ...kept } = grant;
    return { ...kept, refusalRenewedAt: now() };
  });
}

async function storeTokens(
  context: RenewAccountContext,
  { account, holder, provider }: LeasedAccount,
  tokens: Tokens,
): Promise<void> {
  const { vault, now } = context;
  const { id, ownerId } = account;
  const at = now();
  const renewal =
    tokens.refreshToken === undefined
      ? account.oauth.renewal
      : await vault.seal({ id, ownerId, part: 'renewal' }, { refresh_token: tokens.refreshToken });
  const isStored = await storeLeased(context, account, holder, async (current) => {
    const fields = {
      ...(await vault.open(current)),
      ...tokens.fields,
      oauth_access_token: tokens.accessToken,
      ...(tokens.scopes === undefined ? {} : { oauth_scopes: tokens.scopes.join(' ') }),
    };
    return {
      sealed: await vault.seal({ id, ownerId }, fields),
      fieldNames: Object.keys(fields).sort(),
      oauth: renewedGrant(current.oauth, tokens, { now: at, renewal }),
    };
  });
  if (!isStored && (await context.accounts.find(id)) === undefined) await provider.revoke(tokens);
}

const storeGrant = async (
  context: RenewAccountContext,
  account: ConnectedAccount,
  holder: string,
  to: (grant: OAuthGrant) => OAuthGrant,
): Promise<void> =>
  void (await storeLeased(context, account, holder, ({ oauth }) => Promise.resolve({ oauth: to(oauth) })));

/** Changes the account while the lease is still this one's; its user may have changed it meanwhile. False when the lease has ended. */
async function storeLeased(
  { accounts }: RenewAccountContext,
  account: ConnectedAccount,
  holder: string,
  changeOf: (current: ConnectedAccount) => Promise<AccountChange>,
): Promise<boolean> {
  let current: Account | undefined = account;
  while (isConnected(current) && current.oauth.lease?.holder === holder) {
    const changed: Account | undefined = await accounts.change(current, await changeOf(current));
    if (changed) return true;
    current = await accounts.find(account.id);
  }
  return false;
}
