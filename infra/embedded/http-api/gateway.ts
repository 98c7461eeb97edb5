import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressUnusable } from './address-unusable.ts';
import { type HttpResponse, internalError, notFound, unavailable, withApiHeaders } from './http-response.ts';
import type { ApiName } from './api-names.ts';
import { BodyReader } from './body-reader.ts';
import { ByteBudget } from './byte-budget.ts';
import { type ClientAddress, clientAddressBehind } from './client-address.ts';
import { Connections, OpenRequest } from './connections.ts';
import type { HealthCheck } from '../health.ts';
import { healthResponse, isHealthCheck, STARTING } from './health-response.ts';
import type { HttpApi } from './http-api.ts';
import { maxConnections } from './max-connections.ts';
import { readBody } from './read-body.ts';
import { sendStream } from './send-stream.ts';
import { send, sendBeforeEnd, type Unsent } from './send.ts';
import { StreamedBody } from './streamed-body.ts';
import type { StreamedResponse } from './url-invocation.ts';

/** Longer than clients keep idle connections, so that the gateway never closes a connection that a client is about to use. */
const KEEP_ALIVE_MS = 75_000;
/** Maximum wait of a request for the end of the start. It is shorter than the time limit of a response. */
const START_MS = 25_000;
/** Longest time from a new connection, or from the first byte of a further request, to the end of the headers. */
const HEADERS_MS = 20_000;
/** Longest time to the end of the body. The reader of bodies ends one earlier. */
const REQUEST_MS = 60_000;
/** Connections in which nothing moves. It is longer than the time limit of a response. */
const SILENCE_MS = 60_000;

const MAX_UNFINISHED_BYTES = 64 * 1024 * 1024;
const MAX_UNSENT_BYTES = 128 * 1024 * 1024;

/** Options that the listeners share. */
export interface GatewayOptions {
  readonly clientAddress: ClientAddress;
  readonly bodies: BodyReader;
  /** Bytes of responses that clients have not read. */
  readonly unsent: ByteBudget;
  readonly maxConnections: number;
}

export const gatewayOptions = (trustedProxies: readonly string[] = []): GatewayOptions => ({
  clientAddress: clientAddressBehind(trustedProxies),
  bodies: new BodyReader({ budget: new ByteBudget(MAX_UNFINISHED_BYTES) }),
  unsent: new ByteBudget(MAX_UNSENT_BYTES),
  maxConnections: maxConnections(),
});

/** Status lines for unreadable requests, by error code of the parser. */
const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Serves one HTTP API on one port. */
export class Gateway {
  readonly name: ApiName;
  readonly #server: Server;
  #api: HttpApi | undefined;
  #health: HealthCheck = () => Promise.resolve(STARTING);
  #isServing = false;
  readonly #awaiting = new Set<() => void>();
  /** Ends the streamed responses. */
  readonly #streams = new Set<() => void>();
  #current = 0;
  #idle: (() => void) | undefined;
  readonly #options: GatewayOptions;
  readonly #connections: Connections;

  constructor(name: ApiName, options: GatewayOptions) {
    this.name = name;
    this.#options = options;
    this.#connections = new Connections(options.maxConnections);
    const timeouts = {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 2_000,
    };
    this.#server = createServer(timeouts, (request, response) => {
      this.#take(request, response);
    });
    this.#server.setTimeout(SILENCE_MS);
    this.#server.on('connection', (socket) => {
      this.#connections.add(socket);
    });
    // A request that is refused before its body is read gets no `100 Continue`.
    this.#server.on('checkContinue', (request, response) => {
      this.#take(request, response);
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const response = UNREADABLE[error.code ?? ''] ?? '400 Bad Request';
      if (socket.writable) socket.end(`HTTP/1.1 ${response}\r\nConnection: close\r\n\r\n`);
      else socket.destroy();
    });
  }

  /** Resolves with the port. Requests wait until `serve` is called. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        reject(addressUnusable(error, { api: this.name, host, port }) ?? error);
      });
      this.#server.listen(port, host, () => {
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  serve(api: HttpApi | undefined, health: HealthCheck): void {
    this.#api = api;
    this.#health = health;
    this.#isServing = true;
    for (const go of this.#awaiting) go();
  }

  /** Refuses further requests, and waits for the current ones, at most for this time. */
  async stop(graceMs: number): Promise<void> {
    this.#server.close();
    this.#server.closeIdleConnections();
    for (const end of this.#streams) end();
    if (this.#current > 0) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
        timer = setTimeout(resolve, graceMs);
      });
      clearTimeout(timer);
    }
    this.#server.closeAllConnections();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.connectionOf(request.socket);
    if (!connection) return;
    this.#current += 1;
    const open = new OpenRequest(connection, response, () => {
      this.#current -= 1;
      if (this.#current === 0) this.#idle?.();
    });
    void this.#respond(request, response, open);
  }

  async #respond(request: IncomingMessage, response: ServerResponse, open: OpenRequest): Promise<void> {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = pathOf(mark < 0 ? url : url.slice(0, mark));
    const sourceIp = this.#options.clientAddress(
      request.socket.remoteAddress,
      request.headers['x-forwarded-for']?.toString(),
    );
    const unsent = { budget: this.#options.unsent, address: sourceIp, open };
    if (isHealthCheck(request.method, path)) {
      send(request, response, { response: this.#shown(path, healthResponse(await this.#health())), unsent });
      return;
    }
    if (!this.#isServing) await this.#start();
    if (!this.#isServing) {
      response.shouldKeepAlive = false;
      send(request, response, { response: this.#shown(path, unavailable), unsent });
      return;
    }
    const api = this.#api;
    const method = request.method ?? 'GET';
    const { rawHeaders } = request;
    try {
      const read = await readBody(request, response, {
        received: { method, path, rawHeaders, sourceIp },
        api,
        bodies: this.#options.bodies,
      });
      open.markRead();
      if ('refusal' in read) {
        const refusal = this.#shown(path, read.refusal);
        if (!read.isEnd) await sendBeforeEnd(request, response, refusal);
        else {
          response.shouldKeepAlive = false;
          send(request, response, { response: refusal, unsent });
        }
        return;
      }
      const { body, isWhole, length } = read;
      const handled = await api?.handle({
        method,
        path,
        query: mark < 0 ? '' : url.slice(mark + 1),
        rawHeaders: length === undefined ? rawHeaders : [...rawHeaders, 'content-length', String(length)],
        body,
        sourceIp,
        protocol: `HTTP/${request.httpVersion}`,
      });
      const shown = this.#shown(path, handled ?? notFound);
      if (isStreamed(shown)) this.#stream(request, response, { response: shown, unsent });
      else if (isWhole) send(request, response, { response: shown, unsent });
      else await sendBeforeEnd(request, response, shown);
    } catch {
      if (response.headersSent || response.destroyed) return;
      send(request, response, { response: this.#shown(path, internalError), unsent });
    }
  }

  #stream(
    request: IncomingMessage,
    response: ServerResponse,
    { response: streamed, unsent }: { response: StreamedResponse; unsent: Unsent },
  ): void {
    const end = sendStream(request, response, { response: streamed, unsent });
    this.#streams.add(end);
    response.once('close', () => this.#streams.delete(end));
  }

  #shown<R extends Pick<HttpResponse, 'headers'>>(path: string, response: R): R {
    return this.name === 'api' && isBelowV1(path) ? withApiHeaders(response) : response;
  }

  /** Lets a request wait for the end of the start, so that its client does not notice the start. */
  async #start(): Promise<void> {
    await new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.#awaiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, START_MS).unref();
      this.#awaiting.add(go);
    });
  }
}

const isStreamed = (response: HttpResponse | StreamedResponse): response is StreamedResponse =>
  response.body instanceof StreamedBody;

const isBelowV1 = (path: string) => path === '/v1' || path.startsWith('/v1/');

/** A request line may contain a whole URL: proxies send it. */
const pathOf = (target: string) =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '') || '/';
