import {
  authorizationCodeGrantRequest,
  AuthorizationResponseError,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  clockTolerance,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  processUserInfoResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  type TokenEndpointResponse,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi';
import { basic } from '../oauth/basic-authentication.ts';
import { NoResponseError } from '../oauth/provider-fetch.ts';
import { createDiscovery, identityOptions } from './discovered-server.ts';

/** The clocks of the provider and of the service may differ by less. */
const CLOCK_TOLERANCE_SECONDS = 5 * 60;

/** The client of the settings of sign-in. */
export interface IdentityClient {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  groupsClaim: string;
}

interface Callback {
  query: string;
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
}

export interface ToldTokens {
  refreshToken: string | undefined;
  idToken: string | undefined;
}

/** The claims of a person; undefined where a renewal tells none. */
type Claims = Readonly<Record<string, unknown>> | undefined;

/** `tokens` are those of a renewal whose claims could not be read: the provider may have replaced the earlier ones. */
export type IdentityOutcome =
  | { kind: 'claims'; claims: Claims; tokens: ToldTokens }
  | { kind: 'denied' }
  | { kind: 'ended' }
  | { kind: 'failed'; reason: string; tokens?: ToldTokens };

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/** OpenID Connect by oauth4webapi. No method throws for what a provider answers, or because it does not. */
export function createIdentityProvider(fetches: Parameters<typeof createDiscovery>[0], now: () => number) {
  const discover = createDiscovery(fetches, now);
  const contextOf = async ({ issuer, clientId, clientSecret, groupsClaim }: IdentityClient) => {
    const { server } = await discover(issuer);
    const client: Client = { client_id: clientId, [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const authentication = authenticationOf(server, clientSecret);
    return { server, client, authentication, groupsClaim, options: identityOptions(fetches, issuer) };
  };

  return {
    discover: (issuer: string) =>
      discover(issuer).then(
        ({ authorization }) => ({ state: 'found', authorization }) as const,
        (error: unknown) => ({ state: 'failed', reason: reasonOf(error) }) as const,
      ),

    async exchange(of: IdentityClient, callback: Callback): Promise<IdentityOutcome> {
      try {
        const context = await contextOf(of);
        const { server, client, authentication, options } = context;
        const { query, state, nonce, verifier, redirectUri } = callback;
        const parameters = validateAuthResponse(server, client, new URLSearchParams(query), state);
        const response = await authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          parameters,
          redirectUri,
          verifier,
          options,
        );
        const told = { expectedNonce: nonce, requireIdToken: true };
        const tokens = await processAuthorizationCodeResponse(server, client, response, told);
        await validateApplicationLevelSignature(server, response, options);
        return { kind: 'claims', claims: await claimsOf(context, tokens), tokens: tokensIn(tokens) };
      } catch (error) {
        return failureOf(error);
      }
    },

    async refresh(
      of: IdentityClient,
      { refreshToken, idToken, subject }: { refreshToken: string; idToken: string | undefined; subject: string },
    ): Promise<IdentityOutcome> {
      let told: ToldTokens | undefined;
      try {
        const context = await contextOf(of);
        const { server, client, authentication, options } = context;
        const response = await refreshTokenGrantRequest(server, client, authentication, refreshToken, options);
        const tokens = await processRefreshTokenResponse(server, client, response);
        told = { refreshToken: tokens.refresh_token ?? refreshToken, idToken: tokens.id_token ?? idToken };
        if (tokens.id_token !== undefined) await validateApplicationLevelSignature(server, response, options);
        const claims = await claimsOf(context, tokens, subject);
        // https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokenResponse
        if (claims !== undefined && claims['sub'] !== subject) return { kind: 'ended' };
        return { kind: 'claims', claims, tokens: told };
      } catch (error) {
        const failure = failureOf(error);
        return failure.kind === 'failed' && told ? { ...failure, tokens: told } : failure;
      }
    },

    /** The address at which the person signs out at the provider; undefined for a provider without one. */
    async signOutAddress(
      { issuer, clientId }: Pick<IdentityClient, 'issuer' | 'clientId'>,
      { idToken, returnTo }: { idToken: string | undefined; returnTo: string },
    ): Promise<string | undefined> {
      const found = await discover(issuer).catch(() => undefined);
      const address = found?.server.end_session_endpoint;
      if (address === undefined || !URL.canParse(address)) return undefined;
      const url = new URL(address);
      if (url.protocol !== 'https:' && url.origin !== new URL(issuer).origin) return undefined;
      if (idToken !== undefined) url.searchParams.set('id_token_hint', idToken);
      url.searchParams.set('client_id', clientId);
      url.searchParams.set('post_logout_redirect_uri', returnTo);
      return url.href;
    },
  };
}

/** Basic, as the standard says for a provider that names nothing. */
function authenticationOf(server: AuthorizationServer, secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
  const isPost = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
  return isPost ? ClientSecretPost(secret) : basic(secret);
}

const tokensIn = ({ refresh_token: refreshToken, id_token: idToken }: TokenEndpointResponse): ToldTokens => ({
  refreshToken,
  idToken,
});

interface ClaimsContext {
  server: AuthorizationServer;
  client: Client;
  groupsClaim: string;
  options: ReturnType<typeof identityOptions>;
}

/** The claims of the ID token; those that it lacks from the address for user information. */
async function claimsOf(
  { server, client, groupsClaim, options }: ClaimsContext,
  tokens: TokenEndpointResponse,
  subject?: string,
): Promise<Claims> {
  const claims = getValidatedIdTokenClaims(tokens);
  const isWhole = claims !== undefined && claims['email'] !== undefined && claims[groupsClaim] !== undefined;
  const expected = claims?.sub ?? subject;
  if (isWhole || server.userinfo_endpoint === undefined || expected === undefined) return claims;
  const response = await userInfoRequest(server, client, tokens.access_token, options);
  const told = await processUserInfoResponse(server, client, expected, response);
  return { ...claims, ...told };
}

type Failure = Exclude<IdentityOutcome, { kind: 'claims' }>;

/** Errors of an authorization that are not of the person. */
const PROVIDER_ERRORS = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_request',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_response_type',
]);

function failureOf(error: unknown): Failure {
  if (error instanceof AuthorizationResponseError && !PROVIDER_ERRORS.has(error.error)) return { kind: 'denied' };
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return { kind: 'ended' };
  return { kind: 'failed', reason: reasonOf(error) };
}

/** A sentence without texts of the provider: they may repeat the request, and with it secrets. */
function reasonOf(error: unknown): string {
  if (error instanceof NoResponseError) return `${error.message}.`;
  if (error instanceof ResponseBodyError)
    return error.error === 'invalid_client'
      ? 'The identity provider refuses the client: check client_id and client_secret.'
      : `The identity provider refused the request with status ${error.status}.`;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  const known = typeof code === 'string' && /^[A-Z_]{1,80}$/.test(code) ? ` (${code})` : '';
  return `The response of the identity provider is not valid${known}.`;
}
