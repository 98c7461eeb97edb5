import { type SignIn, MAX_AUTHORIZATIONS, openableUntil, STEP_MS } from '../../domain/oauth/sign-in.ts';
import { authorizationUrl } from '../../domain/oauth/authorization-url.ts';
import { redirectAddress } from '../../domain/oauth/connect-addresses.ts';
import { resolveClient } from '../../domain/oauth/resolve-client.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import type { ConnectContext } from './connect-context.ts';
import {
  type ConnectOutcome,
  expiredAddress,
  openedTooOften,
  type Problem,
  unknownAddress,
  usedAddress,
} from './connect-outcome.ts';
import {
  signInIdIn,
  challengeOf,
  hasHash,
  secretHash,
  newSignInSecret,
  newSecret,
  verifierOf,
} from './connect-secrets.ts';

/** Sends a browser that opens the address of a sign-in to the provider. Each opening is an authorization of its own. */
export async function beginAuthorization(context: ConnectContext, token: string): Promise<ConnectOutcome> {
  const { signIns, clients, publicApiUrl, random, now } = context;
  const signIn = await takeAuthorization(context, token);
  if ('kind' in signIn) return signIn;
  const client = await clients.find(signIn.client);
  if (!client) return unknownAddress;
  const { ownerId, parameters, scopes } = signIn;
  const resolved = resolveClient(client, { ownerId, parameters, clientSecret: undefined });
  const state = newSignInSecret(signIn.id, random);
  const cookie = newSecret(random);
  await signIns.createAuthorization({
    attemptId: signIn.id,
    stateHash: secretHash(state),
    cookieHash: secretHash(cookie),
    openedAt: now(),
    status: 'opened',
    version: 0,
  });
  const challenge = resolved.provider.pkce === 'S256' ? challengeOf(verifierOf(cookie, state)) : undefined;
  return {
    kind: 'redirect',
    location: authorizationUrl(resolved, {
      redirectUri: redirectAddress(publicApiUrl),
      state,
      scopes,
      challenge,
    }),
    cookie: { name: cookieName(state), value: cookie },
  };
}

/** Each authorization has a cookie of its own name, so that two of one browser do not meet. */
export const cookieName = (state: string): string => `tributary-connect-${secretHash(state).slice(0, 16)}`;

/** Counts the opening, and clears the reason of an earlier failure. */
async function takeAuthorization({ signIns, users, now }: ConnectContext, token: string): Promise<SignIn | Problem> {
  const id = signInIdIn(token);
  if (id === undefined) return unknownAddress;
  const taken = await changeCurrent<SignIn, SignIn | Problem>({
    find: () => signIns.find(id),
    write: async (signIn) => {
      if (!hasHash(token, signIn.tokenHash)) return unknownAddress;
      if (!(await users.find(signIn.ownerId))) return unknownAddress;
      if (signIn.confirmed) return usedAddress;
      if (now() >= openableUntil(signIn)) return expiredAddress;
      if (signIn.flights >= MAX_AUTHORIZATIONS) return openedTooOften;
      return signIns.change(signIn, {
        flights: signIn.flights + 1,
        waitingUntil: now() + STEP_MS,
        refusal: undefined,
      });
    },
  });
  return taken ?? unknownAddress;
}
