import type { Account } from '../../shared/domain/account/account.ts';
import { everyFilter, textFilter } from '../../shared/lib/text-filter.ts';
import { all, nothing, one, page } from '../../shared/http/api-response.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { createConnectHandler, withConnectPages } from '../../shared/http/connect/connect-handler.ts';
import { accounts } from '../../shared/http/routes/account-routes.ts';
import { connecting } from '../../shared/http/routes/connect-routes.ts';
import { createPausedChanges } from '../../shared/service/admission/paused-changes.ts';
import { serve } from '../../shared/http/serve.ts';
import { accountSettingsOf, accountUpdateOf } from '../../shared/http/settings/account-settings.ts';
import { connectRequestOf } from '../../shared/http/settings/connect-settings.ts';
import { showAccount, showSignIn, showConnectAddress } from '../../shared/http/show/show-account.ts';
import { accountServices } from '../../shared/lambda/wiring/api-wiring.ts';
import { addAccount } from '../../shared/service/accounts/add-account.ts';
import { listApps } from '../../shared/service/accounts/list-apps.ts';
import { ownedAccount } from '../../shared/service/accounts/owned-account.ts';
import { removeAccount } from '../../shared/service/accounts/remove-account.ts';
import { updateAccount } from '../../shared/service/accounts/update-account.ts';
import { ownedSignIn } from '../../shared/service/connecting/owned-sign-in.ts';
import { createSignIn } from '../../shared/service/connecting/create-sign-in.ts';
import type { AccountUses } from '../../shared/store/accounts/account-uses.ts';
import { encodeCursor } from '../../shared/store/table/cursor.ts';
import { sessionOperations } from './sessions.ts';
import { notFound } from '../../shared/domain/errors.ts';

const { log, marks, ...services } = accountServices();
const refusePausedChange = createPausedChanges(marks);
const routes = { ...accounts, ...connecting };

const textsOf = ({ id, app, name }: Account) => [id, app, name];

const shownWith = (uses: AccountUses) => (account: Account) => showAccount(account, uses.get(account.id)?.length ?? 0);

const shown = async (account: Account) => shownWith(await services.uses.read(account.ownerId))(account);

const accountOperations = {
  listAccounts: operation(routes.listAccounts, async ({ input, caller: { userId: ownerId } }) => {
    const isOfApp = input.app === undefined ? undefined : ({ app }: Account) => app === input.app;
    const filter = everyFilter(isOfApp, textFilter(input.q, textsOf));
    const { items, totalCount } = await services.accounts.listOf(ownerId, input, filter);
    const uses: AccountUses = items.length === 0 ? new Map() : await services.uses.read(ownerId);
    return page(items, {
      totalCount,
      cursorOf: ({ id }) => encodeCursor({ list: 'accounts', ownerId }, id),
      show: shownWith(uses),
    });
  }),

  createAccount: operation(routes.createAccount, async ({ input, caller: { userId } }) =>
    one(showAccount(await addAccount(services, userId, accountSettingsOf(input)), 0)),
  ),

  getAccount: operation(routes.getAccount, async ({ parameters: { id }, caller: { userId } }) =>
    one(await shown(await ownedAccount(services, id, userId))),
  ),

  updateAccount: operation(routes.updateAccount, async ({ parameters: { id }, input, caller: { userId } }) => {
    const account = await ownedAccount(services, id, userId);
    const changed = await updateAccount(services, account, accountUpdateOf(input));
    if (!changed) throw notFound(`account ${id}`);
    return one(await shown(changed));
  }),

  deleteAccount: operation(routes.deleteAccount, async ({ parameters: { id }, input, caller: { userId } }) => {
    await removeAccount(services, await ownedAccount(services, id, userId), input);
    return nothing;
  }),

  listApps: operation(routes.listApps, async ({ input: { q }, caller: { userId } }) => {
    const isFound = textFilter(q, ({ app }: { app: string }) => [app]) ?? (() => true);
    return all((await listApps(services, userId)).filter(isFound));
  }),

  startConnecting: operation(routes.startConnecting, async ({ input, caller: { userId } }) =>
    one(showConnectAddress(await createSignIn(services, userId, connectRequestOf(input)), services.publicApiUrl)),
  ),

  getConnectAttempt: operation(
    routes.getConnectAttempt,
    async ({ parameters: { attempt_id: id }, caller: { userId } }) =>
      one(showSignIn(await ownedSignIn(services, id, userId), services.now())),
  ),
} satisfies Record<keyof typeof routes, Operation>;

const api = serve('accounts', { ...accountOperations, ...sessionOperations({ ...services, refusePausedChange }) });

export const handler = withConnectPages(api, createConnectHandler(services, { log, refusePausedChange }));
