import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

/* A program: an authorization server that none of us wrote, at a free port. Its argument is JSON: client, redirect address, lifetime. */

const { redirectUri, secret, accessTokenSeconds } = JSON.parse(process.argv[2]);

const server = createServer((request, response) => handle(request, response));
let handle = (_, response) => response.writeHead(503).end();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'tributary',
        client_secret: secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    scopes: ['openid', 'offline_access'],
    ttl: {
      AccessToken: accessTokenSeconds,
      RefreshToken: 3_600,
      Grant: 3_600,
      Session: 3_600,
      Interaction: 600,
    },
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
    cookies: { keys: ['only-for-tests'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  handle = provider.callback();
  process.stdout.write(`${issuer}\n`);
});
