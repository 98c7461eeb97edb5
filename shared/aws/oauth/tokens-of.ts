import type { TokenEndpointResponse } from 'oauth4webapi';
import type { Provider } from '../../domain/oauth/resolved-client.ts';
import { scopesIn } from '../../domain/oauth/scopes.ts';
import type { Tokens } from '../../domain/oauth/tokens.ts';
import { loginIn, textAt, textsAt } from '../../domain/oauth/value-at.ts';
import { UnusableTokenError } from './unusable-token.ts';

/**
 * The tokens of a response. `body` is what the provider sent, `standard` its object with the standard's members. Throws
 * `UnusableTokenError` for a control character in what it takes.
 */
export function tokensOf(
  { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope }: TokenEndpointResponse,
  { body, standard }: { body: unknown; standard: unknown },
  provider: Provider,
): Tokens {
  const responses = { token: body };
  const scopes = grantedScopes(scope, body, provider);
  const uid = loginIn(responses, provider.uid, standard);
  const fields = textsAt(responses, provider.fields);
  refuseControls({
    access_token: accessToken,
    refresh_token: refreshToken,
    scope: scopes?.join(' '),
    uid,
    ...fields,
  });
  return { accessToken, refreshToken, expiresInMs: lifetimeMs(seconds, provider), scopes, uid, fields };
}

/** A component puts these into headers and addresses. */
function refuseControls(texts: Readonly<Record<string, string | undefined>>): void {
  const odd = Object.entries(texts).find(([, text = '']) => /\p{Cc}/u.test(text));
  if (odd) throw new UnusableTokenError(`\`${odd[0]}\` has control characters`);
}

function lifetimeMs(seconds: number | undefined, { lifetime }: Provider): number | undefined {
  if (seconds !== undefined) return seconds * 1_000;
  return typeof lifetime === 'number' ? lifetime * 1_000 : undefined;
}

function grantedScopes(
  scope: string | undefined,
  body: unknown,
  { granted, scopeSeparator }: Provider,
): string[] | undefined {
  const text = granted === undefined ? scope : textAt({ token: body }, granted.path);
  return text === undefined ? undefined : scopesIn(text, granted?.separator ?? scopeSeparator);
}
