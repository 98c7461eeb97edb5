import { everyPage, PAGE_ITEMS } from './list-pages.ts';
import { request, segment } from './request.ts';
import type {
  Account,
  AccountSettings,
  AccountUpdate,
  App,
  ConnectAddress,
  AccountSignIn,
  Listed,
  Page,
  Single,
} from './wire.ts';

const at = (id: string): string => `/accounts/${segment(id)}`;

export const listAccounts = ({ q }: { q: string }, after?: string): Promise<Page<Account>> =>
  request('GET', '/users/me/accounts', { query: { limit: PAGE_ITEMS, q: q || undefined, after } });

/** All accounts of an app, newest first. */
export const accountsOfApp = (app: string): Promise<Account[]> => everyPage<Account>('/users/me/accounts', { app });

export const createAccount = (body: AccountSettings): Promise<Single<Account>> =>
  request('POST', '/accounts', { body });

export const putAccount = (id: string, body: AccountUpdate): Promise<Single<Account>> =>
  request('PUT', at(id), { body });

/** An account that sources use is only deleted with `force`. */
export const deleteAccount = (id: string, { force }: { force: boolean }): Promise<void> =>
  request('DELETE', at(id), force ? { query: { force: 'true' } } : {});

/** All apps that accounts can be connected of; the list has no pages. */
export const readApps = (): Promise<Listed<App>> => request('GET', '/apps');

export type SignInRequest =
  | { app: string; name?: string; parameters?: Record<string, string> }
  | { account_id: string };

/** Makes an address at which a person signs in at the provider. */
export const startSignIn = (body: SignInRequest): Promise<Single<ConnectAddress>> =>
  request('POST', '/accounts/connect', { body });

export const getAccount = (id: string): Promise<Single<Account>> => request('GET', at(id));

export const getSignIn = (id: string): Promise<Single<AccountSignIn>> =>
  request('GET', `/accounts/connect/${segment(id)}`);
