import { randomBytes } from 'node:crypto';
import type { Holder, Vault } from '../../../shared/aws/vault.ts';
import { Account } from '../../../shared/domain/account/account.ts';
import { AccountId, newId, OAuthClientId } from '../../../shared/domain/id.ts';
import type { Notice } from '../../../shared/domain/notice/notice.ts';
import type { OAuthGrant } from '../../../shared/domain/account/grant.ts';
import type { RenewalOutcome } from '../../../shared/domain/oauth/renewal.ts';
import type { TokenOutcome } from '../../../shared/domain/oauth/tokens.ts';
import type { SealedFields, SecretFields } from '../../../shared/domain/user/sealed-fields.ts';
import { createAccountReader } from '../../../shared/service/accounts/account-reader.ts';
import { renewAccount, type RenewAccountContext } from '../../../shared/service/oauth/renew-account.ts';
import { type AccountStore, accountStore } from '../../../shared/store/accounts/accounts.ts';
import { oauthLoginStore } from '../../../shared/store/accounts/oauth-clients.ts';
import { openWorld } from './world.ts';

export const HOUR = 3_600_000;

/** Keeps what it seals as text, and decrypts it only for its holder. */
function plainVault(): Vault & { decrypted: number } {
  const texts = new Map<string, string>();
  const nameOf = ({ id, ownerId, part }: Holder) => `${ownerId} ${id} ${part ?? 'fields'}`;
  const vault = {
    decrypted: 0,
    encrypt: (holder: Holder, fields: SecretFields) => {
      const text = `sealed-${texts.size}`;
      texts.set(`${nameOf(holder)} ${text}`, JSON.stringify(fields));
      return Promise.resolve({ dataKey: 'key', nonce: 'nonce', text });
    },
    decrypt: ({ sealed, ...holder }: Holder & { sealed: SealedFields }) => {
      vault.decrypted += 1;
      const found = texts.get(`${nameOf(holder)} ${sealed.text}`);
      return found === undefined
        ? Promise.reject(new Error('sealed for another holder'))
        : Promise.resolve(JSON.parse(found) as SecretFields);
    },
  };
  return vault;
}

/** A provider that rotates: a refresh token works once, and each token answer revokes the tokens before it. */
function rotatingProvider({ lifetimeMs = HOUR }: { lifetimeMs?: number | undefined } = {}) {
  let count = 0;
  const provider = {
    sent: [] as string[],
    revoked: [] as string[],
    checked: 0,
    clientId: 'client-1' as string | undefined,
    isValid: true as boolean | undefined,
    validRefresh: 'refresh-0',
    validAccess: 'access-0',
    /** Replaces the next responses. */
    next: [] as TokenOutcome[],
    /** Runs between the request and its response. */
    during: () => Promise.resolve(),
    async refresh(refreshToken: string): Promise<TokenOutcome> {
      provider.sent.push(refreshToken);
      const outcome = provider.next.shift() ?? provider.respond(refreshToken);
      await provider.during();
      return outcome;
    },
    respond(refreshToken: string): TokenOutcome {
      if (refreshToken !== provider.validRefresh) return { kind: 'void', reason: 'The provider says invalid_grant.' };
      count += 1;
      provider.validRefresh = `refresh-${count}`;
      provider.validAccess = `access-${count}`;
      return {
        kind: 'tokens',
        tokens: {
          accessToken: provider.validAccess,
          refreshToken: provider.validRefresh,
          expiresInMs: lifetimeMs,
          fields: {},
        },
      };
    },
    isValidToken: () => {
      provider.checked += 1;
      return Promise.resolve(provider.isValid);
    },
  };
  return provider;
}

/** An account of kind `oauth` on the embedded table, with instances of the functions that renew and read it. */
export async function oauthWorld(grant: Partial<OAuthGrant> & { hasNoRefreshToken?: true } = {}) {
  const { table, clock, ownerId, close } = await openWorld();
  const now = () => clock.now();
  const random = (bytes: number) => randomBytes(bytes);
  const accounts = accountStore(table);
  const logins = oauthLoginStore(table);
  const vault = plainVault();
  const provider = rotatingProvider();
  const { hasNoRefreshToken, ...more } = grant;

  const id = AccountId.parse(newId('account', now(), random));
  const renewal = await vault.encrypt({ id, ownerId, part: 'renewal' }, { refresh_token: 'refresh-0' });
  const account: Account = Account.parse({
    id,
    ownerId,
    app: 'some_app',
    name: 'Mine',
    fieldNames: ['oauth_access_token'],
    sealed: await vault.encrypt({ id, ownerId }, { oauth_access_token: 'access-0', own: 'kept' }),
    createdAt: now(),
    oauth: {
      client: OAuthClientId.parse('oc_1'),
      clientId: 'client-1',
      scopes: ['read'],
      parameters: {},
      providedFields: ['oauth_access_token'],
      status: 'connected',
      connectedAt: now() - 2 * HOUR,
      renewedAt: now() - HOUR,
      expiresAt: now(),
      ...(hasNoRefreshToken ? {} : { renewal }),
      ...more,
    },
  });
  await accounts.create({ ...account, name: 'Mine', hasReservedName: true }, 10);

  /** The renewals that the operator is told of. */
  const outcomes: RenewalOutcome[] = [];
  /** The notices that the user is told of. */
  const notices: Notice[] = [];
  /** One process of the function that renews. */
  const instance = (change: Partial<RenewAccountContext> = {}): RenewAccountContext => {
    const epochPrefix = change.epochPrefix ?? '0/';
    return {
      accounts,
      vault,
      providerOf: () => {
        const { clientId } = provider;
        if (clientId === undefined) return Promise.resolve(undefined);
        return Promise.resolve({
          clientId,
          refresh: provider.refresh,
          isValid: provider.isValidToken,
          revoke: ({ accessToken }) => {
            provider.revoked.push(accessToken);
            return Promise.resolve();
          },
        });
      },
      epochPrefix,
      newHolder: () => epochPrefix + random(6).toString('hex'),
      onRenewal: (_, outcome) => void outcomes.push(outcome),
      notify: (notice) => {
        notices.push(notice);
        return Promise.resolve();
      },
      now,
      ...change,
    };
  };
  const renew = (context = instance(), callMs = 1_000) => renewAccount(context, { accountId: id, callMs });
  const found = async () => {
    const read = await accounts.find(id);
    if (!read?.oauth) throw new Error('the account is gone');
    return { ...read, oauth: read.oauth };
  };
  /** Invocations of the function that renews. */
  const invocations = { count: 0 };
  /** One process of a function that runs components. */
  const reader = (context = instance(), store: Pick<AccountStore, 'find' | 'change'> = accounts) =>
    createAccountReader({
      accounts: store,
      vault,
      renewer: {
        renew: (_, callMs) => {
          invocations.count += 1;
          return renew(context, callMs);
        },
      },
      pause: (ms) => {
        clock.advance(ms);
        return Promise.resolve();
      },
      now,
    });
  const props = { app: { authProvisionId: id }, text: 'as it is' };
  const apps = { app: 'some_app' };
  return {
    clock,
    now,
    accounts,
    logins,
    vault,
    provider,
    ownerId,
    id,
    account,
    props,
    apps,
    instance,
    renew,
    found,
    invocations,
    outcomes,
    notices,
    reader,
    close,
  };
}
export type OAuthWorld = Awaited<ReturnType<typeof oauthWorld>>;
