import type { OAuthFunction } from '../../aws/oauth/oauth-function.ts';
import type { SessionStore } from '../../store/users/sessions.ts';
import type { ReadSettings } from '../../store/users/sign-in-settings-store.ts';
import type { UserLookup } from '../../store/users/users.ts';
import type { RandomBytes } from '../connecting/connect-secrets.ts';

export interface SessionContext {
  /** The operator's settings, at most 60 s old. */
  readSettings: ReadSettings;
  sessions: SessionStore;
  users: Pick<UserLookup, 'find'>;
  oauthFunction: Pick<OAuthFunction, 'discover' | 'identify' | 'confirmPerson' | 'signOut'>;
  /** Origin of the API for browsers, without a trailing slash. */
  publicApiUrl: string;
  random: RandomBytes;
  now(): number;
}
