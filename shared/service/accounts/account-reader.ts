import type { Renewer } from '../../aws/oauth/renewer.ts';
import type { Vault } from '../../aws/vault.ts';
import { type Account, type AccountFields, AccountReference } from '../../domain/account/account.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { AccountId, UserId } from '../../domain/id.ts';
import { isLive, tokenState } from '../../domain/oauth/access-token.ts';
import type { RenewalResult } from '../../domain/oauth/oauth-request.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import { accountExpired, accountGone } from './account-expired.ts';

/** App props of a source: prop name to app name. */
type Apps = Readonly<Record<string, string>>;

interface AccountCall {
  /** Time limit of the call. */
  callMs: number;
  /**
   * Longest wait for a renewal. By default a call waits as long as the renewal of its process takes, and not at all for
   * one of another process.
   */
  waitMs?: number | undefined;
}

interface FilledProps {
  props: Record<string, unknown>;
  oauthAccounts: readonly Account[];
}

export type AccountReader = ReturnType<typeof createAccountReader>;

interface AccountReaderOptions {
  accounts: Pick<AccountStore, 'find' | 'change'>;
  vault: Pick<Vault, 'decrypt'>;
  renewer: Renewer;
  /** Waits in real time. */
  pause(ms: number): Promise<void>;
  now(): number;
}

/**
 * Cache time of decrypted fields, to save KMS calls. The account item is read every time, so that a change takes effect
 * at once.
 */
const FIELDS_CACHE_MS = 5 * 60_000;
const MAX_CACHED_ACCOUNTS = 500;
const POLL_MS = 250;

const BUSY: RenewalResult = { state: 'busy' };

const NOTHING: FilledProps = { props: {}, oauthAccounts: [] };

/** Decrypts the accounts of a source for a request to the runner. */
export function createAccountReader(options: AccountReaderOptions) {
  const { accounts, vault, renewer, pause, now } = options;
  const decrypted = new TtlCache<string, AccountFields>({
    ttlMs: FIELDS_CACHE_MS,
    maxEntries: MAX_CACHED_ACCOUNTS,
    now,
  });

  async function open(account: Account): Promise<AccountFields> {
    const key = `${account.id} ${account.sealed.text}`;
    const known = decrypted.get(key);
    if (known) return known;
    const fields = await vault.decrypt(account);
    decrypted.set(key, fields);
    return fields;
  }

  /** The account, renewed if its token does not last for the call. */
  async function renewedAccount(ownerId: UserId, id: AccountId, app: string, call: AccountCall): Promise<Account> {
    const { callMs, waitMs } = call;
    const giveUpAt = now() + (waitMs ?? 0);
    for (;;) {
      const before = await accountOf(accounts, { ownerId, id, app });
      const state = stateOf(before, callMs);
      if (before.oauth === undefined || state === 'usable') return before;
      if (state === 'needs_reconnect') throw accountExpired(before);
      if (state === 'postponed') {
        if (isLive(before.oauth, now())) return before;
        throw accountExpired(before);
      }
      const renewal = renewer.renew(id, callMs);
      const { state: result } = await (waitMs === undefined
        ? renewal
        : Promise.race([renewal, pause(giveUpAt - now()).then(() => BUSY)]));
      const account = await accountOf(accounts, { ownerId, id, app });
      const after = stateOf(account, callMs);
      if (after === 'needs_reconnect') throw accountExpired(account);
      if (after === 'usable' || (account.oauth && isLive(account.oauth, now()))) return account;
      if (result === 'done') throw accountExpired(account);
      if (now() >= giveUpAt) throw renewing(account);
      await pause(POLL_MS);
    }
  }

  const stateOf = ({ oauth }: Account, callMs: number) =>
    oauth === undefined ? 'usable' : tokenState(oauth, { now: now(), callMs });

  return {
    /**
     * Replaces every app prop by `{$auth: fields}`, with access tokens that are valid for the call. Throws
     * `account_expired` when an account is gone or has no valid token, and `unavailable` while another call renews it
     * and its token has expired.
     */
    async fillProps(
      ownerId: UserId,
      props: Record<string, unknown>,
      apps: Apps | undefined = {},
      call: AccountCall,
    ): Promise<FilledProps> {
      const named = appPropsIn(props, apps);
      if (named.length === 0) return { ...NOTHING, props };
      const filled = await Promise.all(
        named.map(async ({ name, app, id }) => {
          const account = id === undefined ? undefined : await renewedAccount(ownerId, id, app, call);
          return { name, account, $auth: account === undefined ? {} : await open(account) };
        }),
      );
      return {
        props: { ...props, ...Object.fromEntries(filled.map(({ name, $auth }) => [name, { $auth }])) },
        oauthAccounts: filled.flatMap(({ account }) => (account?.oauth === undefined ? [] : [account])),
      };
    },

    /** A field of the account that an app prop names, if there are both. */
    async fieldOf(
      ownerId: UserId,
      reference: AccountReference | undefined,
      { app, field }: { app: string; field: string },
    ): Promise<string | undefined> {
      const account = reference && (await accounts.find(reference.authProvisionId));
      if (!account || !belongsTo(account, ownerId, app)) return undefined;
      return new Map(Object.entries(await open(account))).get(field);
    },

    /** Makes the next call renew these accounts first: a provider refused their tokens. */
    async refuse(oauthAccounts: readonly Account[]): Promise<void> {
      for (const account of oauthAccounts) {
        if (account.oauth === undefined || account.oauth.isRefused === true) continue;
        // Only a hint: the run has ended, and must not be repeated because of it.
        await accounts.change(account, { oauth: { ...account.oauth, isRefused: true } }).catch(() => undefined);
      }
    },
  };
}

async function accountOf(
  accounts: Pick<AccountStore, 'find'>,
  { ownerId, id, app }: { ownerId: UserId; id: AccountId; app: string },
): Promise<Account> {
  const account = await accounts.find(id);
  if (!account || !belongsTo(account, ownerId, app)) throw accountGone(id, app);
  return account;
}

const appPropsIn = (props: Record<string, unknown>, apps: Apps) =>
  Object.entries(apps).flatMap(([name, app]) => {
    const reference = Object.hasOwn(props, name) ? AccountReference.safeParse(props[name]) : undefined;
    return reference === undefined ? [] : [{ name, app, id: reference.data?.authProvisionId }];
  });

const renewing = ({ id }: Account) =>
  new ServiceError('unavailable', `The account ${id} is being renewed; repeat the request in a few seconds.`, {
    retryAfterSeconds: 5,
  });

/** False for accounts of another user or another app. */
export const belongsTo = (account: Account, ownerId: UserId, app: string): boolean =>
  account.ownerId === ownerId && account.app === app;
