import type { AccountId } from '../../domain/id.ts';
import type { LoginPosition } from '../../domain/oauth/login-position.ts';
import type { IdleResult, RequestOf } from '../../domain/oauth/oauth-request.ts';
import type { WriteLine } from '../../domain/run/log-fields.ts';
import { DAY_MS } from '../../lib/durations.ts';
import type { OAuthClientStore, OAuthLoginStore } from '../../store/accounts/oauth-clients.ts';
import { renewAccount, type RenewAccountContext } from './renew-account.ts';

export interface IdleContext extends RenewAccountContext {
  clients: Pick<OAuthClientStore, 'list'>;
  logins: Pick<OAuthLoginStore, 'next'>;
  writeLine: WriteLine;
}

/** Providers end refresh tokens that were not used for weeks or months. */
const IDLE_MS = 7 * DAY_MS;
/** They renew at the same time, within the time limit of the function. */
const AT_ONCE = 10;

/** Renews the next accounts that were not renewed for a week, in the order of their logins. */
export async function renewIdleAccounts(
  context: IdleContext,
  { after }: Pick<RequestOf<'renew-idle'>, 'after'>,
): Promise<IdleResult> {
  const found = await nextLogins(context, after);
  const page = found.slice(0, AT_ONCE);
  await Promise.all(
    // One account that cannot be read or renewed must not stop those after it.
    [...new Set(page.map(({ accountId }) => accountId))].map((accountId) =>
      renewIfIdle(context, accountId).catch(() =>
        context.writeLine('account.idle_renewal_failed', () => ({ account: accountId })),
      ),
    ),
  );
  const next = found.length > AT_ONCE ? page.at(-1)?.position : undefined;
  return { state: 'done', ...(next ? { next } : {}) };
}

async function renewIfIdle(context: IdleContext, accountId: AccountId): Promise<void> {
  const { accounts, now } = context;
  const { oauth } = (await accounts.find(accountId)) ?? {};
  if (oauth?.renewal !== undefined && now() - oauth.renewedAt >= IDLE_MS)
    await renewAccount(context, { accountId, callMs: 0, isForced: true });
}

/** One more than a page, which tells whether another follows. */
async function nextLogins({ clients, logins }: IdleContext, after: LoginPosition | undefined) {
  const found: Awaited<ReturnType<typeof logins.next>> = [];
  for (const { id } of await clients.list()) {
    if (after !== undefined && id < after.client) continue;
    const limit = AT_ONCE + 1 - found.length;
    if (limit === 0) break;
    found.push(...(await logins.next(id, { after: id === after?.client ? after.key : undefined, limit })));
  }
  return found;
}
