import type { TokenEndpointResponse } from 'oauth4webapi';
import type { Provider } from '../../domain/oauth/resolved-client.ts';
import { scopesIn } from '../../domain/oauth/scopes.ts';
import type { Tokens } from '../../domain/oauth/tokens.ts';
import { textAt, textsAt } from '../../domain/oauth/value-at.ts';

/** The tokens of a response. `body` is what the provider sent. */
export function tokensOf(
  {
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: seconds,
    scope,
  }: TokenEndpointResponse,
  body: unknown,
  provider: Provider,
): Tokens {
  const responses = { token: body };
  return {
    accessToken,
    refreshToken,
    expiresInMs: lifetimeMs(seconds, provider),
    scopes: grantedScopes(scope, body, provider),
    uid: provider.uid === undefined ? undefined : textAt(responses, provider.uid),
    fields: textsAt(responses, provider.fields),
  };
}

function lifetimeMs(seconds: number | undefined, { lifetime }: Provider): number | undefined {
  // Providers say 0 for a token that does not expire.
  if (seconds !== undefined && seconds > 0) return seconds * 1_000;
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
