import type { DiscoverResult } from '../../domain/person/identity-request.ts';
import type { UserId } from '../../domain/id.ts';
import { CALLBACK_PATH, CONSOLE_PATH } from '../../domain/person/session-names.ts';
import type { SignInSettings } from '../../domain/person/sign-in-settings.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import { challengeOf, newSecret } from '../connecting/connect-secrets.ts';
import { preSessionCookie, type PreSession, secretsOf } from './pre-session.ts';
import type { SessionContext } from './session-context.ts';

/** Codes of `/console?sign_in=…`. */
export type SignInRefusal =
  | 'denied'
  | 'not_allowed'
  | 'groups_left_out'
  | 'unverified'
  | 'provider_failed'
  | 'expired'
  | 'too_many'
  | 'not_set_up'
  | 'unavailable';

export type FindAuthorization = (settings: SignInSettings) => Promise<string | undefined>;

const FAILURE_MS = 10_000;

/** The authorization address of the provider, which the function `oauth` asks for. Failures are kept for 10 s. */
export function createFindAuthorization({
  oauthFunction,
  now,
}: Pick<SessionContext, 'oauthFunction' | 'now'>): FindAuthorization {
  const found = new TtlCache<string, string>({ ttlMs: HOUR_MS, maxEntries: 4, now });
  const asked = new TtlCache<string, Promise<DiscoverResult>>({ ttlMs: FAILURE_MS, maxEntries: 4, now });
  return async ({ issuer }) => {
    const known = found.get(issuer);
    if (known !== undefined) return known;
    const asking =
      asked.get(issuer) ??
      oauthFunction.discover(issuer).catch((): DiscoverResult => ({ state: 'failed', reason: 'No response.' }));
    asked.set(issuer, asking);
    const result = await asking;
    if (result.state === 'failed') return undefined;
    found.set(issuer, result.authorization);
    return result.authorization;
  };
}

interface BeginInput {
  returnTo: string | undefined;
  user: UserId | undefined;
}

/** Sends a browser to the identity provider. Nothing is stored: a stranger may begin as many as it likes. */
export async function beginSession(
  context: SessionContext & { findAuthorization: FindAuthorization },
  { returnTo = CONSOLE_PATH, user }: BeginInput,
): Promise<{ location: string; cookie: string } | SignInRefusal> {
  const settings = await context.readSettings();
  if (!settings) return 'not_set_up';
  const authorization = await context.findAuthorization(settings);
  if (authorization === undefined) return 'provider_failed';
  const pre: PreSession = {
    secret: newSecret(context.random),
    startedAt: context.now(),
    returnTo,
    ...(user === undefined ? {} : { user }),
  };
  const { state, nonce, verifier } = secretsOf(pre);
  const url = new URL(authorization);
  const parameters = {
    ...settings.parameters,
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: `${context.publicApiUrl}${CALLBACK_PATH}`,
    scope: settings.scope,
    state,
    nonce,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { location: url.href, cookie: preSessionCookie(pre) };
}
