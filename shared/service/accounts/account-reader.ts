import type { Vault } from '../../aws/vault.ts';
import { type Account, type AccountFields, AccountReference } from '../../domain/account/account.ts';
import type { UserId } from '../../domain/id.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { AccountStore } from '../../store/accounts.ts';

/** App props of a source: prop name to app name. */
type Apps = Readonly<Record<string, string>>;

export interface AccountReader {
  /** Replaces every app prop by `{$auth: fields}`; the fields are empty when the account is missing or not usable. */
  connect(ownerId: UserId, props: Record<string, unknown>, apps?: Apps): Promise<Record<string, unknown>>;
}

interface AccountReaderOptions {
  accounts: Pick<AccountStore, 'find'>;
  vault: Pick<Vault, 'open'>;
  now(): number;
}

/** Cache time of decrypted fields, to save KMS calls. The account item is read every time, so that a removal takes effect at once. */
const FIELDS_CACHE_MS = 5 * 60_000;
const MAX_CACHED_ACCOUNTS = 500;

/** Decrypts the accounts of a source for a request to the runner. */
export function createAccountReader({ accounts, vault, now }: AccountReaderOptions): AccountReader {
  const opened = new TtlCache<string, AccountFields>({
    ttlMs: FIELDS_CACHE_MS,
    maxEntries: MAX_CACHED_ACCOUNTS,
    now,
  });

  async function open(account: Account): Promise<AccountFields> {
    const key = `${account.id} ${account.sealed.text}`;
    const known = opened.get(key);
    if (known) return known;
    const fields = await vault.open(account);
    opened.set(key, fields);
    return fields;
  }

  async function fieldsOf(ownerId: UserId, value: unknown, app: string): Promise<AccountFields> {
    const reference = AccountReference.safeParse(value);
    if (!reference.success) return {};
    const account = await accounts.find(reference.data.authProvisionId);
    return account && isUsable(account, ownerId, app) ? open(account) : {};
  }

  return {
    async connect(ownerId, props, apps = {}) {
      const named = Object.entries(apps).filter(([name]) => Object.hasOwn(props, name));
      if (named.length === 0) return props;
      const connected = await Promise.all(
        named.map(async ([name, app]) => [name, { $auth: await fieldsOf(ownerId, props[name], app) }]),
      );
      return { ...props, ...Object.fromEntries(connected) };
    },
  };
}

/** False for accounts of another user or another app. */
export const isUsable = (account: Account, ownerId: UserId, app: string): boolean =>
  account.ownerId === ownerId && account.app === app;
