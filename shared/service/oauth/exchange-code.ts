import { STEP_MS } from '../../domain/oauth/sign-in.ts';
import { redirectAddress } from '../../domain/oauth/connect-addresses.ts';
import type { ExchangeResult, RequestOf } from '../../domain/oauth/oauth-request.ts';
import { signedIn } from '../../domain/oauth/signed-in.ts';
import { signInWithAuthorization, type SignInContext } from './sign-in-context.ts';

const refused = (reason: string): ExchangeResult => ({ state: 'refused', reason });

const GONE = 'The sign-in has ended already.';

/** Time after which unconfirmed tokens are dropped: the user has this less a margin for the yes. */
const DROP_MS = STEP_MS + 30_000;

/**
 * Exchanges a code and keeps its tokens, sealed, with its authorization. A process that dies between the two loses the
 * tokens: the user signs in again.
 */
export async function exchangeCode(
  context: SignInContext & { publicApiUrl: string },
  request: RequestOf<'exchange'>,
): Promise<ExchangeResult> {
  const { signIns, readClient, requests, vault, dropLater, publicApiUrl, now } = context;
  const found = await signInWithAuthorization(context, request);
  if (found?.authorization.status !== 'returned') return refused(GONE);
  const { signIn, authorization } = found;
  const { id, ownerId, parameters, scopes } = signIn;
  const client = await readClient({ client: signIn.client, ownerId, parameters });
  if (!client) return refused('The operator has deleted the OAuth client of the app.');
  const { code, verifier, callback } = request;
  const outcome = await requests.exchange(client, {
    code,
    verifier,
    redirectUri: redirectAddress(publicApiUrl),
  });
  if (outcome.kind !== 'tokens') return refused(outcome.reason);
  const { tokens } = outcome;
  const identity = await requests.identity(client, tokens.accessToken);
  const signed = signedIn(client, {
    client: signIn.client,
    tokens,
    identity: identity?.kind === 'identity' ? identity : undefined,
    callback,
    parameters,
    scopes,
    now: now(),
  });
  await dropLater(request, DROP_MS);
  const kept = await signIns.changeAuthorization(authorization, {
    status: 'exchanged',
    exchangedAt: now(),
    confirmationHash: request.confirmationHash,
    tokens: await vault.encrypt({ id, ownerId }, { signed_in: JSON.stringify(signed) }),
    login: signed.uid,
    grantedScopes: tokens.scopes === undefined ? undefined : [...tokens.scopes],
  });
  if (!kept) {
    await requests.revoke(client, tokens);
    return refused(GONE);
  }
  return {
    state: 'exchanged',
    ...(signed.uid === undefined ? {} : { login: signed.uid }),
    ...(tokens.scopes === undefined ? {} : { scopes: [...tokens.scopes] }),
  };
}
