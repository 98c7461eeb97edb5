import type { Vault } from '../../aws/vault.ts';
import { type Account, type AccountFields, AccountReference } from '../../domain/account.ts';
import type { UserId } from '../../domain/id.ts';
import { TtlCache } from '../../domain/ttl-cache.ts';
import type { AccountStore } from '../../store/accounts.ts';

/** What of a source's traits says which props name accounts, and of which apps. */
type Apps = Readonly<Record<string, string>>;

export interface AccountReader {
  /** The props with `{$auth}` in the place of every app prop: the account's fields, none where there is no account. */
  connect(ownerId: UserId, props: Record<string, unknown>, apps?: Apps): Promise<Record<string, unknown>>;
}

interface AccountReaderOptions {
  accounts: Pick<AccountStore, 'find'>;
  vault: Pick<Vault, 'open'>;
  now(): number;
}

/** The key service is asked once in so long for each account; the account itself is read every time, so that a removed one is gone at once. */
const REMEMBERED_MS = 5 * 60_000;
const MOST_REMEMBERED = 500;

/** Opens accounts, in the one place where a request to the runner is made. */
export function createAccountReader({ accounts, vault, now }: AccountReaderOptions): AccountReader {
  const opened = new TtlCache<string, AccountFields>({
    ttlMs: REMEMBERED_MS,
    maxEntries: MOST_REMEMBERED,
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

/** Another user's, and another app's, is none. */
export const isUsable = (account: Account, ownerId: UserId, app: string): boolean =>
  account.ownerId === ownerId && account.app === app;
