import type { AccountId } from '../../domain/id.ts';
import type { IdleResult, RequestOf } from '../../domain/oauth/oauth-request.ts';
import type { WriteLine } from '../../domain/run/log-fields.ts';
import { DAY_MS } from '../../lib/durations.ts';
import type { OAuthClientStore } from '../../store/oauth-clients.ts';
import type { OAuthLoginStore } from '../../store/oauth-logins.ts';
import { renewAccount, type RenewAccountContext } from './renew-account.ts';

export interface IdleContext extends RenewAccountContext {
  clients: Pick<OAuthClientStore, 'list'>;
  logins: Pick<OAuthLoginStore, 'accountsOfClient'>;
  writeLine: WriteLine;
}

/** Providers end refresh tokens that nobody used for weeks or months. */
const IDLE_MS = 7 * DAY_MS;
/** They renew at the same time, within the time limit of the function. */
const AT_ONCE = 10;

/** Renews the next accounts that were not renewed for a week, by their ids. */
export async function renewIdleAccounts(
  context: IdleContext,
  { after }: Pick<RequestOf<'renew-idle'>, 'after'>,
): Promise<IdleResult> {
  const { clients, logins, accounts, now } = context;
  const ids = new Set<AccountId>();
  for (const { id } of await clients.list())
    for (const account of await logins.accountsOfClient(id)) ids.add(account);
  const left = [...ids].filter((id) => after === undefined || id > after).sort();
  const page = left.slice(0, AT_ONCE);
  await Promise.all(
    page.map(async (accountId) => {
      const account = await accounts.find(accountId);
      const isIdle = account?.oauth?.renewal !== undefined && now() - account.oauth.renewedAt >= IDLE_MS;
      if (!isIdle) return;
      // One account that cannot be renewed must not stop those after it.
      await renewAccount(context, { accountId, callMs: 0, isForced: true }).catch(() => {
        context.writeLine('account.idle_renewal_failed', () => ({ account: accountId }));
      });
    }),
  );
  const last = page.at(-1);
  return { state: 'done', ...(left.length > page.length && last !== undefined ? { next: last } : {}) };
}
