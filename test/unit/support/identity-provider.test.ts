import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IdentityProvider } from '../../support/identity-provider.ts';

const REDIRECT = 'http://127.0.0.1:1/callback';
const insecure = { [oauth.allowInsecureRequests]: true };

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await IdentityProvider.start();
  provider.register({ redirectUris: [REDIRECT], postLogoutRedirectUris: ['http://127.0.0.1:1/console'] });
  provider.accounts.set('ada@example.org', { groups: ['events', 'staff'] });
});
afterAll(() => provider.down());

/** A client by another package, which checks everything that the standard asks for. */
async function client() {
  const server = await oauth.processDiscoveryResponse(
    new URL(provider.issuer),
    await oauth.discoveryRequest(new URL(provider.issuer), insecure),
  );
  const self: oauth.Client = { client_id: provider.clientId, [oauth.clockTolerance]: 300 };
  const authentication = oauth.ClientSecretBasic(provider.clientSecret);

  return {
    server,
    async signIn(email: string): Promise<oauth.TokenEndpointResponse> {
      const verifier = oauth.generateRandomCodeVerifier();
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
      const location = new URL(server.authorization_endpoint ?? '');
      location.search = new URLSearchParams({
        client_id: provider.clientId,
        redirect_uri: REDIRECT,
        response_type: 'code',
        scope: 'openid email groups offline_access',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      }).toString();
      const back = oauth.validateAuthResponse(server, self, await provider.signIn(location, email), state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        self,
        authentication,
        back,
        REDIRECT,
        verifier,
        insecure,
      );
      return verified(
        response,
        await oauth.processAuthorizationCodeResponse(server, self, response, {
          expectedNonce: nonce,
          requireIdToken: true,
        }),
      );
    },
    async refresh({ refresh_token: token = '' }: oauth.TokenEndpointResponse) {
      const response = await oauth.refreshTokenGrantRequest(server, self, authentication, token, insecure);
      return verified(response, await oauth.processRefreshTokenResponse(server, self, response));
    },
  };

  async function verified(response: Response, tokens: oauth.TokenEndpointResponse) {
    await oauth.validateApplicationLevelSignature(server, response, insecure);
    return tokens;
  }
}

const claimsOf = (tokens: oauth.TokenEndpointResponse) => oauth.getValidatedIdTokenClaims(tokens);

test('signs people in, and refreshes with the claims of that moment', async () => {
  const { server, signIn, refresh } = await client();
  expect(server).toMatchObject({ issuer: provider.issuer, end_session_endpoint: expect.any(String) as string });
  const tokens = await signIn('ada@example.org');
  expect(claimsOf(tokens)).toMatchObject({
    email: 'ada@example.org',
    email_verified: true,
    groups: ['events', 'staff'],
  });
  provider.accounts.set('ada@example.org', { groups: ['staff'] });
  expect(claimsOf(await refresh(tokens))).toMatchObject({ groups: ['staff'] });
  expect(provider.grants).toEqual(['authorization_code', 'refresh_token']);
  await expect(refresh(tokens), 'a refresh token works once').rejects.toMatchObject({ error: 'invalid_grant' });
});

test('goes on with a new signing key, a clock that is off, and after a time without network', async () => {
  const first = await (await client()).signIn('ada@example.org');
  provider.rotateKeys();
  provider.clockOffsetSeconds = 240;
  const { refresh } = await client();
  const second = await refresh(first);
  expect((claimsOf(second)?.iat ?? 0) - Date.now() / 1_000).toBeGreaterThan(200);
  await provider.down();
  await expect(refresh(second)).rejects.toThrow('fetch failed');
  await provider.up();
  provider.clockOffsetSeconds = -240;
  await expect(refresh(second)).resolves.toBeDefined();
  provider.clockOffsetSeconds = 0;
});

test('refuses people that it does not know, and changes claims when a test asks for that', async () => {
  const { signIn } = await client();
  await expect(signIn('eve@example.org')).rejects.toThrow();
  provider.changeClaims = (claims) => ({ ...claims, aud: 'another' });
  await expect(signIn('ada@example.org')).rejects.toThrow('unexpected JWT "aud"');
  provider.changeClaims = (claims) => claims;
});
