import type { SignIns } from '../../aws/oauth/sign-ins.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { ConnectAttemptStore } from '../../store/accounts/connect-attempts.ts';
import type { OAuthClientStore } from '../../store/accounts/oauth-clients.ts';
import type { UserLookup } from '../../store/users/users.ts';
import type { WaitingConnectAttempts } from '../../store/accounts/waiting-connect-attempts.ts';
import type { RandomBytes } from './connect-secrets.ts';

export interface ConnectContext {
  clients: Pick<OAuthClientStore, 'ofApp' | 'find'>;
  accounts: Pick<AccountStore, 'find' | 'checkLimit' | 'takenNames'>;
  attempts: ConnectAttemptStore;
  waiting: Pick<WaitingConnectAttempts, 'add'>;
  users: Pick<UserLookup, 'find'>;
  signIns: Pick<SignIns, 'exchange' | 'confirm'>;
  /** Origin of the API for browsers, without a trailing slash. */
  publicApiUrl: string;
  random: RandomBytes;
  now(): number;
}
