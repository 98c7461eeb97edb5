import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from './close-server.ts';

/**
 * When a renewal is interrupted: as its request arrives, once the tokens have rotated, so long after the answer, or as
 * the API gets the new access token for the first time.
 */
export type Moment = { step: 'request' | 'rotated' | 'used' } | { step: 'answered'; delayMs: number };

interface Tokens {
  access: string;
  refresh: string;
}

interface HttpResponse {
  status: number;
  body: object;
  onSent?: () => void;
}

const REFUSED: HttpResponse = { status: 400, body: { error: 'invalid_grant' } };

/**
 * A provider of one login, and its API. A renewal revokes both earlier tokens, and a refresh token that comes a second
 * time revokes the newest ones, too.
 */
export class StrictProvider {
  expiresIn = 1;
  /** Lives of the service in which a refresh token was sent, one for each request. */
  readonly livesByRefreshToken = new Map<string, number[]>();
  /** Access tokens of runs that began in this life, and that a renewal of an earlier life had revoked. */
  revokedOfEarlierLives: string[] = [];
  /** Whether a renewal of a life that was killed reached this server after the kill: nobody stored its answer. */
  hasRotatedAfterKill = false;
  /** Whether the API got the newest access token in this life. */
  hasSeenNewest = false;
  /**
   * Refresh tokens that came again after the API had got the access token of their renewal: a run had it before it was
   * stored.
   */
  readonly repeatedAfterUse: string[] = [];
  readonly #server: Server;
  readonly #revokedIn = new Map<string, number>();
  /** By refresh token, the access token of its renewal. */
  readonly #renewals = new Map<string, string>();
  /** Access tokens that the API got while they were the newest. */
  readonly #used = new Set<string>();
  #life = 0;
  #lifeBeganAt = 0;
  #isKilled = false;
  #tokens: Tokens | undefined;
  #interruption: { moment: Moment; kill: () => unknown } | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<StrictProvider> {
    const server = createServer();
    const provider = new StrictProvider(server);
    server.on('request', (request, response) => {
      void textOf(request).then((text) => {
        const { status, body, onSent } = provider.#serve(request, new URLSearchParams(text));
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body), onSent);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    // `address()` is null or a text only for servers that do not listen on a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Calls `kill` once, at this moment of the next renewal. */
  killAt(moment: Moment, kill: () => unknown): void {
    this.#interruption = { moment, kill };
  }

  beginLife(): void {
    this.#life += 1;
    this.#lifeBeganAt = Date.now();
    this.revokedOfEarlierLives = [];
    this.hasSeenNewest = false;
    this.hasRotatedAfterKill = false;
    this.#isKilled = false;
  }

  consent(location: string): URL {
    const asked = new URL(location).searchParams;
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('code', 'code');
    back.searchParams.set('state', asked.get('state') ?? '');
    return back;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await closeServer(this.#server);
  }

  #serve({ url, headers }: IncomingMessage, form: URLSearchParams): HttpResponse {
    if (url === '/data')
      return this.#data(String(headers.authorization).replace(/^Bearer /, ''), Number(headers['x-began-at']));
    if (form.get('grant_type') !== 'refresh_token') return this.#issue();
    const refresh = form.get('refresh_token') ?? '';
    this.livesByRefreshToken.set(refresh, [...(this.livesByRefreshToken.get(refresh) ?? []), this.#life]);
    if (this.#used.has(this.#renewals.get(refresh) ?? '')) this.repeatedAfterUse.push(refresh);
    // The provider did not take the request of a service that died while it sent.
    if (this.#isInterrupted('request')) return REFUSED;
    const isNewest = refresh === this.#tokens?.refresh;
    if (this.#isKilled) this.hasRotatedAfterKill = true;
    if (this.#tokens) this.#revokedIn.set(this.#tokens.access, this.#life);
    this.#tokens = undefined;
    if (!isNewest) return REFUSED;
    const response = this.#issue();
    this.#renewals.set(refresh, response.body.access_token);
    this.#isInterrupted('rotated');
    return { ...response, onSent: () => this.#answered() };
  }

  /** `beganAt` is when the run began: the process of a component outlives a killed service for a moment. */
  #data(bearer: string, beganAt: number): HttpResponse {
    const isNewest = bearer === this.#tokens?.access;
    if (isNewest) {
      this.hasSeenNewest = true;
      const isFirst = !this.#used.has(bearer) && [...this.#renewals.values()].includes(bearer);
      this.#used.add(bearer);
      if (isFirst) this.#isInterrupted('used');
    }
    const isRevoked = (this.#revokedIn.get(bearer) ?? Infinity) < this.#life;
    if (isRevoked && beganAt >= this.#lifeBeganAt) this.revokedOfEarlierLives.push(bearer);
    return { status: isNewest ? 200 : 401, body: {} };
  }

  #issue() {
    const random = () => randomBytes(16).toString('hex');
    const { access, refresh } = (this.#tokens = { access: random(), refresh: random() });
    return {
      status: 200,
      body: {
        access_token: access,
        refresh_token: refresh,
        token_type: 'Bearer',
        expires_in: this.expiresIn,
      },
    };
  }

  #isInterrupted(step: Moment['step']): boolean {
    if (this.#interruption?.moment.step !== step) return false;
    this.#kill(this.#interruption.kill);
    return true;
  }

  #answered(): void {
    if (this.#interruption?.moment.step !== 'answered') return;
    const { moment, kill } = this.#interruption;
    this.#interruption = undefined;
    const at = performance.now() + ('delayMs' in moment ? moment.delayMs : 0);
    // Timers have no parts of a millisecond.
    const wait = () => (performance.now() < at ? void setImmediate(wait) : this.#kill(kill));
    wait();
  }

  #kill(kill: () => unknown): void {
    this.#interruption = undefined;
    this.#isKilled = true;
    kill();
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString();
}
