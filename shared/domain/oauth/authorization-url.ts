import type { ResolvedClient } from './resolved-client.ts';

interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  scopes: readonly string[];
  /** Absent where the provider takes no PKCE. */
  challenge?: string | undefined;
}

/** The address at the provider where the user signs in and consents. */
export function authorizationUrl(
  { clientId, provider }: ResolvedClient,
  { redirectUri, state, scopes, challenge }: AuthorizationRequest,
): string {
  const url = new URL(provider.authorization);
  const { searchParams } = url;
  for (const [name, value] of Object.entries(provider.authorizationParameters ?? {})) searchParams.set(name, value);
  searchParams.set('response_type', 'code');
  searchParams.set('client_id', clientId);
  searchParams.set('redirect_uri', redirectUri);
  searchParams.set('state', state);
  const scopeName = provider.quirks.includes('user-scope') ? 'user_scope' : 'scope';
  if (scopes.length > 0) searchParams.set(scopeName, scopes.join(provider.scopeSeparator));
  if (challenge !== undefined) {
    searchParams.set('code_challenge', challenge);
    searchParams.set('code_challenge_method', 'S256');
  }
  return url.href;
}

/** Whether the `iss` of a callback is that of the provider, so that the code goes to no other one. */
export const isIssuer = (iss: string, { issuer, authorization }: ResolvedClient['provider']): boolean =>
  issuer === undefined ? URL.canParse(iss) && new URL(iss).origin === new URL(authorization).origin : iss === issuer;
