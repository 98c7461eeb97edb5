import type { Account } from '../../domain/account/account.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type AccountId, SignInId, newId, type UserId } from '../../domain/id.ts';
import { MAX_ACCOUNTS } from '../../domain/limits.ts';
import { type SignIn, STEP_MS } from '../../domain/oauth/sign-in.ts';
import { redirectAddress } from '../../domain/oauth/connect-addresses.ts';
import type { OAuthClient } from '../../domain/oauth/oauth-client.ts';
import { checkedParameters, openPlaceholders, scopesToAsk } from '../../domain/oauth/resolve-client.ts';
import { ownedAccount } from '../accounts/owned-account.ts';
import { nameTaken } from '../accounts/store-account.ts';
import type { ConnectContext } from './connect-context.ts';
import { secretHash, newSignInSecret } from './connect-secrets.ts';
import { invalidField } from '../../domain/check.ts';

export interface ConnectRequest {
  /** Undefined only with `accountId`. */
  app?: string | undefined;
  name?: string | undefined;
  scopes?: readonly string[] | undefined;
  parameters?: Readonly<Record<string, string>> | undefined;
  accountId?: AccountId | undefined;
}

/** Makes the address at which a user connects an account. */
export async function createSignIn(
  context: ConnectContext,
  ownerId: UserId,
  request: ConnectRequest,
): Promise<{ signIn: SignIn; token: string }> {
  const { accounts, signIns, waiting, random, now } = context;
  const account = request.accountId === undefined ? undefined : await reconnectable(context, ownerId, request);
  const app = account?.app ?? request.app ?? '';
  const client = await clientOf(context, app);
  const parameters = checkedParameters(client, {
    ...earlierParameters(client, account),
    ...request.parameters,
  });
  if (!account) {
    await accounts.checkLimit(ownerId, MAX_ACCOUNTS);
    if (request.name !== undefined && (await accounts.takenNames(ownerId, app)).has(request.name))
      throw nameTaken(app, request.name);
  }
  const createdAt = now();
  const id = SignInId.parse(newId('signIn', createdAt, random));
  const freeAt = await waiting.add(ownerId, id, createdAt);
  if (freeAt !== undefined) throw tooManySignIns(freeAt - createdAt);
  const token = newSignInSecret(id, random);
  const signIn: SignIn = {
    id,
    ownerId,
    app,
    client: client.id,
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(account === undefined ? {} : { accountId: account.id }),
    scopes: scopesToAsk(client, app, request.scopes),
    parameters,
    tokenHash: secretHash(token),
    createdAt,
    waitingUntil: createdAt + STEP_MS,
    flights: 0,
    version: 0,
  };
  await signIns.create(signIn);
  return { signIn, token };
}

async function reconnectable(
  context: ConnectContext,
  ownerId: UserId,
  { accountId, app }: ConnectRequest,
): Promise<Account | undefined> {
  if (accountId === undefined) return undefined;
  const account = await ownedAccount(context, accountId, ownerId);
  if (account.oauth === undefined)
    throw invalidField('account_id', 'must be an account of kind oauth: the fields of this one are set by PUT');
  if (app !== undefined && app !== account.app)
    throw invalidField('app', `must be ${account.app}, the app of the account, or be left out`);
  return account;
}

async function clientOf({ clients, publicApiUrl }: ConnectContext, app: string): Promise<OAuthClient> {
  const client = await clients.ofApp(app);
  if (client) return client;
  throw new ServiceError(
    'no_oauth_client',
    `No OAuth client is registered for ${app}. The operator registers one, with the redirect address ${redirectAddress(publicApiUrl)}, by: admin oauth-clients add --app ${app} --client-id ID --client-secret-file PATH`,
  );
}

/** Those that the account was connected with, of the placeholders that the client leaves open now. */
const earlierParameters = (client: OAuthClient, account: Account | undefined): Record<string, string> => {
  const open = openPlaceholders(client);
  return Object.fromEntries(
    Object.entries(account?.oauth?.parameters ?? {}).filter(([name]) => Object.hasOwn(open, name)),
  );
};

const tooManySignIns = (waitMs: number) =>
  new ServiceError('too_many_attempts', 'You have 100 sign-ins that wait. Each ends after 10 minutes.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
