import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from './close-server.ts';

interface Code {
  redirectUri: string;
  challenge: string | undefined;
  login: string;
  scope: string;
}

interface HttpResponse {
  status: number;
  body: unknown;
}

interface Granted {
  login: string;
  scope?: string;
}

/**
 * An OAuth 2 provider of a page of code: PKCE, refresh tokens that rotate, identities, revocation. Its user allows
 * everything. A renewal revokes the access token before it.
 */
export class AuthorizationServer {
  readonly tokenRequests: Record<string, string>[] = [];
  readonly revoked: string[] = [];
  /** Every token of its answers, oldest first. */
  readonly issued: { accessToken: string; refreshToken: string }[] = [];
  /** The login of the next sign-ins. */
  login = 'ada';
  /** Replaces the answer to the next requests for tokens. */
  response: (() => HttpResponse) | undefined;
  expiresIn = 3600;
  /** Status of a token answer. */
  tokenStatus = 200;
  /** The body of a token answer, made of the standard's. */
  tokenResponse = (standard: Record<string, unknown>): unknown => standard;
  identity = (login: string): unknown => ({ sub: login });
  /** Whether its user refuses the access. */
  isDenied = false;
  readonly #server: Server;
  readonly #codes = new Map<string, Code>();
  readonly #logins = new Map<string, string>();
  /** By refresh token, the access token that came with it. */
  readonly #accessTokens = new Map<string, string>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<AuthorizationServer> {
    const server = createServer();
    const provider = new AuthorizationServer(server);
    server.on('request', (request, response) => {
      const path = request.url ?? '';
      if (path.startsWith('/authorize')) {
        response.writeHead(302, { location: provider.consent(`${provider.url}${path}`).href }).end();
        return;
      }
      void textOf(request).then((text) => {
        const { status, body } = provider.#serve(request, new URLSearchParams(text));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    // `address()` is null or a text only for servers that do not listen on a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get settings() {
    return {
      authorization: `${this.url}/authorize`,
      token: `${this.url}/token`,
      revocation: `${this.url}/revoke`,
      identity: `${this.url}/me`,
      uid: 'identity.sub',
    };
  }

  /** The browser's way over the consent page: the address that it is sent back to. */
  consent(location: string): URL {
    const asked = new URL(location).searchParams;
    const code = randomBytes(12).toString('hex');
    this.#codes.set(code, {
      redirectUri: asked.get('redirect_uri') ?? '',
      challenge: asked.get('code_challenge') ?? undefined,
      login: this.login,
      scope: asked.get('scope') ?? '',
    });
    const back = new URL(asked.get('redirect_uri') ?? '');
    if (this.isDenied) back.searchParams.set('error', 'access_denied');
    else back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    return back;
  }

  isLive(accessToken: string): boolean {
    return this.#logins.has(accessToken);
  }

  /** Revokes all access tokens; refresh tokens stay. */
  revokeAccess(): void {
    for (const accessToken of this.#accessTokens.values()) this.#logins.delete(accessToken);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await closeServer(this.#server);
  }

  #serve(request: IncomingMessage, form: URLSearchParams): HttpResponse {
    const path = request.url ?? '';
    if (path.startsWith('/me')) {
      const login = this.#logins.get(String(request.headers.authorization).replace(/^Bearer /, ''));
      return login === undefined ? { status: 401, body: {} } : { status: 200, body: this.identity(login) };
    }
    if (path.startsWith('/revoke')) {
      this.revoked.push(form.get('token') ?? '');
      return { status: 200, body: {} };
    }
    this.tokenRequests.push(Object.fromEntries(form));
    if (this.response) return this.response();
    const granted = form.get('grant_type') === 'refresh_token' ? this.#renewed(form) : this.#taken(form);
    if (!granted) return { status: 400, body: { error: 'invalid_grant' } };
    const accessToken = `at-${randomBytes(12).toString('hex')}`;
    const refreshToken = `rt-${randomBytes(12).toString('hex')}`;
    this.#logins.set(accessToken, granted.login);
    this.#logins.set(refreshToken, granted.login);
    this.#accessTokens.set(refreshToken, accessToken);
    this.issued.push({ accessToken, refreshToken });
    return {
      status: this.tokenStatus,
      body: this.tokenResponse({
        access_token: accessToken,
        refresh_token: refreshToken,
        token_type: 'Bearer',
        expires_in: this.expiresIn,
        ...(granted.scope === undefined ? {} : { scope: granted.scope }),
      }),
    };
  }

  #taken(form: URLSearchParams): Granted | undefined {
    const code = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    return code && isProven(code, form) && code.redirectUri === form.get('redirect_uri') ? code : undefined;
  }

  #renewed(form: URLSearchParams): Granted | undefined {
    const token = form.get('refresh_token') ?? '';
    const login = this.#logins.get(token);
    if (login === undefined) return undefined;
    this.#logins.delete(token);
    this.#logins.delete(this.#accessTokens.get(token) ?? '');
    return { login };
  }
}

/** PKCE is for clients that use it (RFC 7636). */
function isProven({ challenge }: Code, form: URLSearchParams): boolean {
  const verifier = form.get('code_verifier') ?? undefined;
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  return challenge === createHash('sha256').update(verifier).digest('base64url');
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString();
}
