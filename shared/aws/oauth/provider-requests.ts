import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  customFetch,
  expectNoState,
  nopkce,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  protectedResourceRequest,
  refreshTokenGrantRequest,
  revocationRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
  type ClientAuth,
  ClientSecretPost,
  None,
} from 'oauth4webapi';
import type { ResolvedClient } from '../../domain/oauth/resolved-client.ts';
import type { Identity, IdentityOutcome, TokenOutcome, Tokens } from '../../domain/oauth/tokens.ts';
import { loginIn, textsAt } from '../../domain/oauth/value-at.ts';
import { type AddressKind, ClientFetch } from './client-fetch.ts';
import { basic } from './basic-authentication.ts';
import { failureOf, tokensOf } from './tokens-of.ts';
import type { ProviderFetch } from './provider-fetch.ts';

interface Code {
  code: string;
  redirectUri: string;
  /** Absent where the provider takes no PKCE. */
  verifier?: string | undefined;
}

/** The requests to providers. None of them throws for what a provider answers, or because it does not. */
export type ProviderRequests = ReturnType<typeof createProviderRequests>;

const REQUEST_MS = 15_000;
const REVOCATION_MS = 5_000;

/** The protocol of OAuth 2 by oauth4webapi. Deviations of providers are the quirks of their entries. */
export function createProviderRequests(fetch: ProviderFetch, now: () => number) {
  const open = opener(fetch, now);

  async function tokens(
    client: ResolvedClient,
    request: (context: ReturnType<typeof open>) => Promise<TokenEndpointResponse>,
  ): Promise<TokenOutcome> {
    const context = open(client, 'token');
    const { clientFetch } = context;
    try {
      return { kind: 'tokens', tokens: tokensOf(await request(context), clientFetch, client.provider) };
    } catch (error) {
      return failureOf(error, { client, clientFetch, now: now() });
    }
  }

  return {
    exchange: (client: ResolvedClient, { code, redirectUri, verifier }: Code): Promise<TokenOutcome> =>
      tokens(client, async ({ server, id, options }) => {
        // The flow has checked the state and the issuer.
        const parameters = validateAuthResponse(server, id, new URLSearchParams({ code }), expectNoState);
        const response = await authorizationCodeGrantRequest(
          server,
          id,
          clientAuthentication(client),
          parameters,
          redirectUri,
          verifier ?? nopkce,
          { ...options, additionalParameters: client.provider.tokenParameters ?? {} },
        );
        return processAuthorizationCodeResponse(server, id, response);
      }),

    refresh: (client: ResolvedClient, refreshToken: string): Promise<TokenOutcome> =>
      tokens(client, async ({ server, id, options }) => {
        const { refresh: address = client.provider.token } = client.provider;
        const renewing = { ...server, token_endpoint: address };
        const authentication = clientAuthentication(client);
        const response = await refreshTokenGrantRequest(renewing, id, authentication, refreshToken, options);
        return processRefreshTokenResponse(renewing, id, response);
      }),

    /** Undefined for a provider without an identity address. */
    async identity(client: ResolvedClient, accessToken: string): Promise<IdentityOutcome | undefined> {
      const { identity, uid, fields } = client.provider;
      if (identity === undefined) return undefined;
      const { clientFetch, options } = open(client, 'identity');
      try {
        const response = await protectedResourceRequest(
          accessToken,
          identity.method ?? 'GET',
          new URL(identity.address),
          new Headers({ accept: 'application/json', ...identity.headers }),
          identity.body,
          options,
        );
        if (response.status === 401) return { kind: 'refused' };
        if (response.ok) return { kind: 'identity', ...identityIn(clientFetch.body, { uid, fields }) };
        throw new Error('The identity address refused the request');
      } catch (error) {
        return { kind: 'passing', reason: failureOf(error, { client, clientFetch, now: now() }).reason };
      }
    },

    /** Best effort, within 5 s. Whether the provider confirms it. */
    async revoke(
      client: ResolvedClient,
      { accessToken, refreshToken }: Pick<Tokens, 'accessToken' | 'refreshToken'>,
    ): Promise<boolean> {
      const { revocation, quirks } = client.provider;
      if (revocation === undefined) return false;
      const { server, id, options } = open(client, 'revocation');
      const authentication = clientAuthentication(client);
      const sent = quirks.includes('bearer-revocation')
        ? protectedResourceRequest(accessToken, 'POST', new URL(revocation), new Headers(), null, options)
        : revocationRequest(server, id, authentication, refreshToken ?? accessToken, options);
      // The tokens end by themselves, or their user ends them at the provider.
      return sent.then(
        ({ ok }) => ok,
        () => false,
      );
    },
  };
}

const opener = (fetch: ProviderFetch, now: () => number) => (client: ResolvedClient, kind: AddressKind) => {
  const timeoutMs = kind === 'revocation' ? REVOCATION_MS : REQUEST_MS;
  const clientFetch = new ClientFetch((url, request) => fetch(client.ownerId, url, { ...request, timeoutMs }), {
    client,
    kind,
    now,
  });
  return { clientFetch, ...standardOf(client, clientFetch) };
};

const identityIn = (body: unknown, paths: Pick<ResolvedClient['provider'], 'uid' | 'fields'>): Identity => ({
  uid: loginIn({ identity: body }, paths.uid, body),
  fields: textsAt({ identity: body }, paths.fields),
});

/** The client in the terms of oauth4webapi. */
const standardOf = ({ clientId, provider }: ResolvedClient, { send }: ClientFetch) => ({
  server: {
    issuer: provider.issuer ?? new URL(provider.authorization).origin,
    token_endpoint: provider.token,
    ...(provider.revocation === undefined ? {} : { revocation_endpoint: provider.revocation }),
  },
  id: { client_id: clientId },
  // Addresses are https, or http of this machine: the client was refused otherwise.
  options: { [customFetch]: send, [allowInsecureRequests]: true },
});

/**
 * How the client authenticates at the token address and the revocation address. `json` is `post` with another form of
 * the body.
 */
function clientAuthentication({ provider: { tokenAuth }, clientSecret = '' }: ResolvedClient): ClientAuth {
  switch (tokenAuth) {
    case 'none':
      return None();
    case 'basic':
      return basic(clientSecret);
    case 'post':
    case 'json':
      return ClientSecretPost(clientSecret);
  }
}
