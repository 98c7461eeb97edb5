import type { Vault } from '../../aws/vault.ts';
import type { Account } from '../../domain/account/account.ts';
import type { AccountId } from '../../domain/id.ts';
import type { Notify } from '../../domain/notice/notice.ts';
import { reconnectNotice } from '../../domain/notice/user-notices.ts';
import { isLive, isPostponed, tokenState } from '../../domain/oauth/access-token.ts';
import type { OAuthGrant } from '../../domain/account/grant.ts';
import { endedGrant, postponedGrant, renewedGrant, type RenewalOutcome } from '../../domain/oauth/renewal.ts';
import type { RenewalResult } from '../../domain/oauth/oauth-request.ts';
import type { TokenOutcome, Tokens } from '../../domain/oauth/tokens.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import { type ConnectedAccount, isConnected, type Leased, storeGrant, storeLeased } from './leased-account.ts';

/** The provider of an account, as the client that is registered now. */
export interface AccountProvider {
  readonly clientId: string;
  refresh(refreshToken: string): Promise<TokenOutcome>;
  /** Asks the identity address whether the access token is valid; undefined if the provider does not tell. */
  isValid(accessToken: string): Promise<boolean | undefined>;
  /** Revokes tokens that no account holds, unless another account has the same login; never throws. */
  revoke(tokens: Tokens): Promise<void>;
}

export interface RenewAccountContext {
  accounts: Pick<AccountStore, 'find' | 'change'>;
  vault: Pick<Vault, 'decrypt' | 'encrypt'>;
  /** Undefined when the operator has deleted the client. */
  providerOf(account: ConnectedAccount): Promise<AccountProvider | undefined>;
  /** The beginning of the holders of this epoch: a lease of another one is void, because its process has ended. */
  epochPrefix: string;
  newHolder(): string;
  /** Tells the operator of a renewal whose result is stored. */
  onRenewal(accountId: AccountId, outcome: RenewalOutcome): void;
  notify: Notify;
  now(): number;
}

/** Longer than the limit of a token request and the writes after it. */
const LEASE_MS = 30_000;
const NO_REFRESH_TOKEN =
  'The access token has expired, and the provider gave no refresh token: connect the account again.';
const REFUSED = 'The provider refuses the access token and gave no refresh token: connect the account again.';
const NO_CLIENT =
  'The OAuth client of the app is no longer registered: the operator registers it with `admin oauth-clients add`.';
const OTHER_CLIENT = 'The operator registered another OAuth client for the app: connect the account again.';

const DONE: RenewalResult = { state: 'done' };

interface RenewAccountInput {
  accountId: AccountId;
  /** Time limit of the call that needs the token. */
  callMs: number;
  /** Renews also a token that suffices. */
  isForced?: boolean;
}

/**
 * Renews the access token of an account. One renewal of an account is in progress at a time, on however many functions:
 * it holds the lease on the account's item. A token response is stored before its access token is used, and only while
 * the lease is still that of this renewal. When the process dies between sending and storing, the next renewal sends
 * the same refresh token after the lease has ended.
 */
export async function renewAccount(
  context: RenewAccountContext,
  { accountId, callMs, isForced = false }: RenewAccountInput,
): Promise<RenewalResult> {
  const { accounts, now } = context;
  const renewed = await changeCurrent<Account, RenewalResult>({
    find: () => accounts.find(accountId),
    write: async (account) => {
      if (!isConnected(account)) return DONE;
      const { oauth } = account;
      const state = tokenState(oauth, { now: now(), callMs });
      if (state === 'needs_reconnect' || (state === 'usable' && !isForced)) return DONE;
      if (isLeased(context, oauth)) return { state: 'busy' };
      if (isPostponed(oauth, now())) return DONE;
      const holder = context.newHolder();
      const leased = await accounts.change(account, {
        oauth: { ...oauth, lease: { holder, until: now() + LEASE_MS } },
      });
      if (!isConnected(leased)) return undefined;
      const outcome = await renewLeased(context, leased, holder);
      if (outcome !== undefined) context.onRenewal(accountId, outcome);
      return DONE;
    },
  });
  return renewed ?? DONE;
}

/** A clock that was set back does not make a lease longer. */
function isLeased({ epochPrefix, now }: RenewAccountContext, { lease }: OAuthGrant): boolean {
  const left = (lease?.until ?? 0) - now();
  return left > 0 && left <= LEASE_MS && lease?.holder.startsWith(epochPrefix) === true;
}

/** Undefined when nothing was renewed, or the lease has ended. */
async function renewLeased(
  context: RenewAccountContext,
  account: ConnectedAccount,
  holder: string,
): Promise<RenewalOutcome | undefined> {
  const { providerOf, vault, now } = context;
  const { oauth } = account;
  const postpone = (failure: { reason: string; retryAfterMs?: number | undefined }) =>
    storeGrant(context, { account, holder }, 'expiring', (grant) => postponedGrant(grant, { ...failure, now: now() }));
  const end = (reason: string) => endGrant(context, { account, holder }, reason);
  const provider = await providerOf(account);
  if (!provider) return postpone({ reason: NO_CLIENT });
  if (provider.clientId !== oauth.clientId) return end(OTHER_CLIENT);
  if (oauth.renewal === undefined) return withoutRefreshToken(context, { account, holder, provider });
  const { refresh_token: refreshToken = '' } = await vault.decrypt({
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

/** A process that dies between the two steps loses the notice; the account shows its status all the same. */
async function endGrant(
  context: RenewAccountContext,
  leased: Leased,
  reason: string,
): Promise<RenewalOutcome | undefined> {
  const outcome = await storeGrant(context, leased, 'needs_reconnect', (grant) => endedGrant(grant, reason));
  if (outcome !== undefined) await context.notify(reconnectNotice(leased.account, reason, context.now()));
  return outcome;
}

interface LeasedAccount extends Leased {
  provider: AccountProvider;
}

/** Only a status 401 or the end of the access token leads here. */
async function withoutRefreshToken(
  context: RenewAccountContext,
  { provider, ...leased }: LeasedAccount,
): Promise<RenewalOutcome | undefined> {
  const { vault, now } = context;
  const { account } = leased;
  if (!isLive(account.oauth, now())) return endGrant(context, leased, NO_REFRESH_TOKEN);
  const { oauth_access_token: accessToken = '' } = await vault.decrypt(account);
  if ((await provider.isValid(accessToken)) === false) return endGrant(context, leased, REFUSED);
  return storeGrant(context, leased, undefined, (grant) => {
    const { lease: _lease, isRefused: _isRefused, ...kept } = grant;
    return { ...kept, refusalRenewedAt: now() };
  });
}

async function storeTokens(
  context: RenewAccountContext,
  { account, holder, provider }: LeasedAccount,
  tokens: Tokens,
): Promise<RenewalOutcome | undefined> {
  const { vault, now } = context;
  const { id, ownerId } = account;
  const at = now();
  const renewal =
    tokens.refreshToken === undefined
      ? account.oauth.renewal
      : await vault.encrypt({ id, ownerId, part: 'renewal' }, { refresh_token: tokens.refreshToken });
  const isStored = await storeLeased(context, { account, holder }, async (current) => {
    const fields = {
      ...(await vault.decrypt(current)),
      ...tokens.fields,
      oauth_access_token: tokens.accessToken,
      ...(tokens.scopes === undefined ? {} : { oauth_scopes: tokens.scopes.join(' ') }),
    };
    return {
      sealed: await vault.encrypt({ id, ownerId }, fields),
      fieldNames: Object.keys(fields).sort(),
      oauth: renewedGrant(current.oauth, tokens, { now: at, renewal }),
    };
  });
  if (isStored) return 'renewed';
  if ((await context.accounts.find(id)) === undefined) await provider.revoke(tokens);
  return undefined;
}
