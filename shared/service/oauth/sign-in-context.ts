import type { ProviderRequests } from '../../aws/oauth/provider-requests.ts';
import type { Vault } from '../../aws/vault.ts';
import type { SignIn, Authorization } from '../../domain/oauth/sign-in.ts';
import type { SignInId, Random } from '../../domain/id.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { SignInStore, WaitingSignIns } from '../../store/accounts/sign-ins.ts';
import type { OAuthLoginStore } from '../../store/accounts/oauth-clients.ts';
import type { ReadClient } from './client-reader.ts';

export interface SignInContext {
  accounts: Pick<AccountStore, 'find' | 'create' | 'change' | 'takenNames'>;
  signIns: SignInStore;
  waiting: Pick<WaitingSignIns, 'release'>;
  logins: OAuthLoginStore;
  vault: Pick<Vault, 'decrypt' | 'encrypt'>;
  readClient: ReadClient;
  requests: ProviderRequests;
  /** Has the tokens of an authorization dropped after this time, unless they were confirmed. */
  dropLater(authorization: AuthorizationKey, ms: number): Promise<void>;
  /** Starts the daily job that renews idle accounts, unless it runs. */
  renewDaily(): Promise<void>;
  random: Random;
  now(): number;
}

export interface AuthorizationKey {
  attemptId: SignInId;
  stateHash: string;
}

export interface SignInWithAuthorization {
  signIn: SignIn;
  authorization: Authorization;
}

export async function signInWithAuthorization(
  { signIns }: Pick<SignInContext, 'signIns'>,
  { attemptId, stateHash }: AuthorizationKey,
): Promise<SignInWithAuthorization | undefined> {
  const [signIn, authorization] = await Promise.all([
    signIns.find(attemptId),
    signIns.findAuthorization(attemptId, stateHash),
  ]);
  return signIn && authorization && { signIn, authorization };
}
