import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { HealthCheck } from '../health.ts';
import type { MetricsPage } from './metrics-page.ts';
import { addressUnusable } from './address-unusable.ts';
import type { ApiName } from '../template/api-names.ts';
import { Connections, OpenRequest } from './clients/connections.ts';
import type { TurnPace } from './clients/turn-pace.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { HttpApi } from './http-api.ts';
import { refuseUnreadable } from './parser-refusals.ts';
import type { RequestTotals } from '../metrics/request-totals.ts';
import { respond, type RespondOptions } from './respond.ts';
import { STARTING } from './responses/health-response.ts';

/**
 * Longer than clients keep idle connections, so that the gateway never closes a connection that a client is about to
 * use.
 */
const KEEP_ALIVE_MS = 75_000;
/** Maximum wait of a request for the end of the start. It is shorter than the time limit of a response. */
const START_MS = 25_000;
/** Longest time from a new connection, or from the first byte of a further request, to the end of the headers. */
const HEADERS_MS = 20_000;
/** Longest time to the end of the body, a wait for the start included. The reader of bodies ends one earlier. */
const REQUEST_MS = 90_000;
/** Connections in which nothing moves. It is longer than the time limit of a response. */
const SILENCE_MS = 60_000;

/** Serves one HTTP API on one port. */
export class Gateway {
  readonly name: ApiName;
  readonly #server: Server;
  #api: HttpApi | undefined;
  #health: HealthCheck = () => Promise.resolve(STARTING);
  #metrics: MetricsPage | undefined;
  #state: 'starting' | 'serving' | 'stopping' = 'starting';
  readonly #awaiting = new Set<() => void>();
  /** Streamed responses, and what ends them. */
  readonly #streams = new Map<OpenRequest, () => void>();
  #current = 0;
  #onIdle: (() => void) | undefined;
  readonly #connections: Connections;
  readonly #pace: TurnPace;
  readonly #totals: RequestTotals[ApiName];
  readonly #respondOptions: RespondOptions;

  constructor(name: ApiName, options: GatewayOptions) {
    this.name = name;
    this.#connections = new Connections(options.maxConnections);
    this.#pace = options.pace;
    this.#totals = options.totals[name];
    this.#respondOptions = {
      ...options,
      name,
      health: () => this.#health(),
      isServing: () => (this.#state === 'starting' ? this.#start() : this.#state === 'serving'),
      api: () => this.#api,
      metrics: () => this.#metrics,
      onStream: (open, end) => {
        if (this.#state === 'stopping') end();
        if (open.isOpen) this.#streams.set(open, end);
      },
    };
    const serverOptions = {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 5_000,
      // The gateway answers such requests in its own form.
      requireHostHeader: false,
    };
    const take = (request: IncomingMessage, response: ServerResponse) => {
      this.#take(request, response);
    };
    this.#server = createServer(serverOptions, take);
    this.#server.setTimeout(SILENCE_MS);
    this.#server.on('connection', (socket) => {
      this.#connections.add(socket);
    });
    // A request that is refused before its body is read gets no `100 Continue`.
    this.#server.on('checkContinue', take);
    this.#server.on('clientError', (error, socket) => {
      if (socket instanceof Socket)
        refuseUnreadable(error, socket, { connections: this.#connections, log: options.refusals });
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

  get streamCount(): number {
    return this.#streams.size;
  }

  serve(api: HttpApi | undefined, health: HealthCheck, metrics?: MetricsPage): void {
    this.#api = api;
    this.#health = health;
    this.#metrics = metrics;
    this.#state = 'serving';
    for (const go of this.#awaiting) go();
  }

  /**
   * Refuses further requests, and those that wait for their turn. Waits for the current ones, at most for this time.
   */
  async stop(graceMs: number): Promise<void> {
    this.#state = 'stopping';
    this.#server.close();
    this.#server.closeIdleConnections();
    for (const end of this.#streams.values()) end();
    if (this.#current > 0) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
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
    const startedAt = performance.now();
    const open = new OpenRequest({
      connection,
      request,
      response,
      onEnd: () => {
        const status = response.headersSent ? response.statusCode : undefined;
        this.#totals.add({ status, ms: performance.now() - startedAt, isStream: this.#streams.delete(open) });
        this.#current -= 1;
        if (this.#current === 0) this.#onIdle?.();
      },
    });
    connection.start(open, () => {
      this.#pace.start(connection.network, () => {
        if (open.isOpen) void respond({ request, response, open }, this.#respondOptions);
      });
    });
  }

  /** Lets a request wait for the end of the start, so that its client does not notice the start. */
  async #start(): Promise<boolean> {
    await new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.#awaiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, START_MS).unref();
      this.#awaiting.add(go);
    });
    return this.#state === 'serving';
  }
}
