import type { ProviderRequests } from '../../aws/oauth/provider-requests.ts';
import type { Vault } from '../../aws/vault.ts';
import type { ConnectAttempt, Flight } from '../../domain/oauth/attempt.ts';
import type { ConnectAttemptId, Random } from '../../domain/id.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { ConnectAttemptStore } from '../../store/accounts/connect-attempts.ts';
import type { OAuthLoginStore } from '../../store/accounts/oauth-logins.ts';
import type { WaitingConnectAttempts } from '../../store/accounts/waiting-connect-attempts.ts';
import type { OpenClient } from './open-client.ts';

export interface SignInContext {
  accounts: Pick<AccountStore, 'find' | 'create' | 'change' | 'takenNames'>;
  attempts: ConnectAttemptStore;
  waiting: Pick<WaitingConnectAttempts, 'release'>;
  logins: OAuthLoginStore;
  vault: Pick<Vault, 'open' | 'seal'>;
  openClient: OpenClient;
  requests: ProviderRequests;
  /** Has the tokens of a flight dropped after this time, unless they were confirmed. */
  dropLater(flight: OfFlight, ms: number): Promise<void>;
  /** Starts the daily job that renews idle accounts, unless it runs. */
  renewDaily(): Promise<void>;
  random: Random;
  now(): number;
}

export interface OfFlight {
  attemptId: ConnectAttemptId;
  stateHash: string;
}

export interface AttemptInFlight {
  attempt: ConnectAttempt;
  flight: Flight;
}

export async function attemptInFlight(
  { attempts }: Pick<SignInContext, 'attempts'>,
  { attemptId, stateHash }: OfFlight,
): Promise<AttemptInFlight | undefined> {
  const [attempt, flight] = await Promise.all([
    attempts.find(attemptId),
    attempts.findFlight(attemptId, stateHash),
  ]);
  return attempt && flight && { attempt, flight };
}
