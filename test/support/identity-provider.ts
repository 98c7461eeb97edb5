import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Provider } from 'oidc-provider';
import { closeServer } from './close-server.ts';
import { freePort } from './free-port.ts';

interface Account {
  name?: string;
  emailVerified?: boolean;
  groups?: readonly string[];
}

type Claims = Record<string, unknown>;

/** A session, grant, code or token. */
interface Stored {
  uid?: string;
  grantId?: string;
  consumed?: number;
}

interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

const SCOPES = ['openid', 'email', 'profile', 'groups', 'offline_access'];
const HOUR_SECONDS = 3_600;

/**
 * An OpenID provider that none of us wrote, in this process. Its pages are those of the package: a form that takes any
 * password, and a way back without a sign-in. People consent to everything.
 */
export class IdentityProvider {
  readonly clientId = 'tributary';
  readonly clientSecret = 'the secret of the client';
  readonly issuer: string;
  /** By e-mail address, which is also the login. Tokens have the claims of this moment. */
  readonly accounts = new Map<string, Account>();
  /** The grant types of the requests for tokens. */
  readonly grants: string[] = [];
  /** The parameters of the requests for an authorization. */
  readonly authorizations: Record<string, unknown>[] = [];
  /** The provider's clock minus that of this process. */
  clockOffsetSeconds = 0;
  /** Changes the claims of ID tokens before they are signed. */
  changeClaims = (claims: Claims): Claims => claims;
  /** Signs ID tokens by HS256 with this key; undefined for RS256. */
  hmacKey: string | undefined;
  readonly #port: number;
  #server: Server | undefined;
  #serve: RequestListener = (_, response) => response.writeHead(503).end();
  #keys = [newSigningKey()];
  readonly #stored = new Map<string, Stored>();
  #client = { redirectUris: ['http://127.0.0.1:1/callback'], postLogoutRedirectUris: [] as string[] };

  private constructor(port: number, host: string) {
    this.#port = port;
    this.issuer = `http://${host}:${port}`;
  }

  static async start({ host = '127.0.0.1' } = {}): Promise<IdentityProvider> {
    const provider = new IdentityProvider(await freePort(), host);
    provider.#build();
    await provider.up();
    return provider;
  }

  /** Registers the addresses that people are sent back to. */
  register(client: { redirectUris: string[]; postLogoutRedirectUris?: string[] }): void {
    this.#client = { postLogoutRedirectUris: [], ...client };
    this.#build();
  }

  /** Signs with a new key from now on. The old one is published for as long as `keepsOld` says. */
  rotateKeys({ keepsOld = false } = {}): void {
    this.#keys = [newSigningKey(), ...(keepsOld ? this.#keys : [])];
    this.#build();
  }

  get publicKeyText(): string {
    const [{ privateKey } = newSigningKey()] = this.#keys;
    return createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString();
  }

  async down(): Promise<void> {
    if (this.#server) await closeServer(this.#server);
    this.#server = undefined;
  }

  async up(): Promise<void> {
    const server = createServer((request, response) => this.#serve(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
  }

  /** Signs in without a browser and its cookies. Returns the address that the person is sent back to. */
  async signIn(location: string | URL, email: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let next = new URL(location);
    let form: URLSearchParams | undefined;
    for (;;) {
      const response = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form ? { method: 'POST', body: form } : {}),
      });
      const text = await response.text();
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const { headers, status } = response;
      const target = headers.get('location') ?? /<form [^>]*action="([^"]+)"/.exec(text)?.[1];
      if (target === undefined) throw new Error(`The provider responded with ${status}: ${text}`);
      next = new URL(target, next);
      if (next.origin !== this.issuer) return next;
      form = headers.has('location')
        ? undefined
        : new URLSearchParams({ prompt: 'login', login: email, password: 'any' });
    }
  }

  /** Sessions, grants and refresh tokens are stored here, so they outlive the object. */
  #build(): void {
    const provider = new Provider(this.issuer, {
      adapter: (model: string) => adapterOf(this.#stored, model),
      clients: [
        {
          client_id: this.clientId,
          client_secret: this.clientSecret,
          redirect_uris: this.#client.redirectUris,
          post_logout_redirect_uris: this.#client.postLogoutRedirectUris,
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
      jwks: {
        keys: this.#keys.map(({ kid, privateKey }) => ({ ...privateKey.export({ format: 'jwk' }), kid, use: 'sig' })),
      },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: SCOPES,
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: () => Promise.resolve(true),
      ttl: {
        AccessToken: HOUR_SECONDS,
        IdToken: HOUR_SECONDS,
        RefreshToken: 24 * HOUR_SECONDS,
        Grant: 24 * HOUR_SECONDS,
        Session: 24 * HOUR_SECONDS,
        Interaction: HOUR_SECONDS,
      },
      cookies: { keys: ['only for tests'] },
      features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
      findAccount: (_: unknown, email: string) => this.#account(email),
      // Consent to everything that the client asks for.
      loadExistingGrant: async ({ oidc: { client, session } }) => {
        const id = session.grantIdFor(client.clientId);
        const known = id === undefined ? undefined : await provider.Grant.find(id);
        if (known) return known;
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope(SCOPES.join(' '));
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      if (context.path === '/auth') this.authorizations.push({ ...context.query });
      await next();
      if (context.path !== '/token') return;
      this.grants.push(String(context.oidc.params?.['grant_type']));
      const { body } = context;
      if (isTokens(body)) context.body = { ...body, id_token: this.#signedAgain(body.id_token) };
    });
    this.#serve = provider.callback();
  }

  #account(email: string) {
    const account = this.accounts.get(email);
    if (!account) return undefined;
    const { name = email, emailVerified = true, groups = [] } = account;
    return {
      accountId: email,
      claims: () => ({ sub: `sub of ${email}`, email, email_verified: emailVerified, name, groups: [...groups] }),
    };
  }

  /** The package has no clock of its own, so its ID tokens are signed a second time. */
  #signedAgain(token: string): string {
    const [header = '', payload = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    const later = (name: string) =>
      claims[name] === undefined ? {} : { [name]: Number(claims[name]) + this.clockOffsetSeconds };
    const changed = this.changeClaims({ ...claims, ...later('iat'), ...later('exp'), ...later('auth_time') });
    const payloadText = Buffer.from(JSON.stringify(changed)).toString('base64url');
    if (this.hmacKey !== undefined) {
      const signed = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${payloadText}`;
      return `${signed}.${createHmac('sha256', this.hmacKey).update(signed).digest('base64url')}`;
    }
    const text = `${header}.${payloadText}`;
    const [{ privateKey } = newSigningKey()] = this.#keys;
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  }
}

/** The interface by which the package stores. Nothing here lives as long as its time to live. */
const adapterOf = (stored: Map<string, Stored>, model: string) => ({
  upsert: async (id: string, item: Stored) => void stored.set(`${model}:${id}`, item),
  find: async (id: string) => stored.get(`${model}:${id}`),
  findByUid: async (uid: string) =>
    [...stored].find(([key, item]) => key.startsWith(`${model}:`) && item.uid === uid)?.[1],
  consume: async (id: string) => {
    const item = stored.get(`${model}:${id}`);
    if (item) item.consumed = Math.floor(Date.now() / 1_000);
  },
  destroy: async (id: string) => void stored.delete(`${model}:${id}`),
  revokeByGrantId: async (grantId: string) => {
    for (const [key, item] of stored) if (item.grantId === grantId) stored.delete(key);
  },
});

const newSigningKey = (): SigningKey => ({
  kid: randomUUID(),
  privateKey: generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
});

const isTokens = (body: unknown): body is { id_token: string } =>
  typeof body === 'object' && body !== null && 'id_token' in body && typeof body.id_token === 'string';
