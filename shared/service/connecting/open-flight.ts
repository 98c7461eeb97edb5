import { type ConnectAttempt, MAX_FLIGHTS, openableUntil, STEP_MS } from '../../domain/oauth/attempt.ts';
import { authorizationUrl } from '../../domain/oauth/authorization-url.ts';
import { redirectAddress } from '../../domain/oauth/connect-addresses.ts';
import { resolveClient } from '../../domain/oauth/resolve-client.ts';
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
  attemptIdIn,
  challengeOf,
  hasHash,
  secretHash,
  newAttemptSecret,
  newSecret,
  verifierOf,
} from './connect-secrets.ts';

/** Sends a browser that opens the address of an attempt to the provider. Each opening is a flight of its own. */
export async function openFlight(context: ConnectContext, token: string): Promise<ConnectOutcome> {
  const { attempts, clients, publicApiUrl, random, now } = context;
  const attempt = await takeFlight(context, token);
  if ('kind' in attempt) return attempt;
  const client = await clients.find(attempt.client);
  if (!client) return unknownAddress;
  const { ownerId, parameters, scopes } = attempt;
  const resolved = resolveClient(client, { ownerId, parameters, clientSecret: undefined });
  const state = newAttemptSecret(attempt.id, random);
  const cookie = newSecret(random);
  await attempts.createFlight({
    attemptId: attempt.id,
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

/** Each flight has a cookie of its own name, so that two of one browser do not meet. */
export const cookieName = (state: string): string => `tributary-connect-${secretHash(state).slice(0, 16)}`;

/** Counts the opening; an earlier failure counts no more. */
async function takeFlight(
  { attempts, users, now }: ConnectContext,
  token: string,
): Promise<ConnectAttempt | Problem> {
  const id = attemptIdIn(token);
  if (id === undefined) return unknownAddress;
  for (;;) {
    const attempt = await attempts.find(id);
    if (!attempt || !hasHash(token, attempt.tokenHash)) return unknownAddress;
    if (!(await users.find(attempt.ownerId))) return unknownAddress;
    if (attempt.confirmed) return usedAddress;
    if (now() >= openableUntil(attempt)) return expiredAddress;
    if (attempt.flights >= MAX_FLIGHTS) return openedTooOften;
    const changed = await attempts.change(attempt, {
      flights: attempt.flights + 1,
      waitingUntil: now() + STEP_MS,
      refusal: undefined,
    });
    if (changed) return changed;
  }
}
