import type { OAuthFunction } from '../../aws/oauth/oauth-function.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { SignInStore, WaitingSignIns } from '../../store/accounts/sign-ins.ts';
import type { OAuthClientStore } from '../../store/accounts/oauth-clients.ts';
import type { UserLookup } from '../../store/users/users.ts';
import type { RandomBytes } from './connect-secrets.ts';

export interface ConnectContext {
  clients: Pick<OAuthClientStore, 'ofApp' | 'find'>;
  accounts: Pick<AccountStore, 'find' | 'checkLimit' | 'takenNames'>;
  signIns: SignInStore;
  waiting: Pick<WaitingSignIns, 'add'>;
  users: Pick<UserLookup, 'find'>;
  oauthFunction: Pick<OAuthFunction, 'exchange' | 'confirm'>;
  /** Origin of the API for browsers, without a trailing slash. */
  publicApiUrl: string;
  random: RandomBytes;
  now(): number;
}
