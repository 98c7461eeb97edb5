import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressUnusable } from './address-unusable.ts';
import { type Answer, internalError, notFound, tooLarge, unavailable, withApiHeaders } from './answer.ts';
import type { Received } from './event.ts';
import type { ApiName } from './api-names.ts';
import type { HealthCheck } from '../health.ts';
import { healthAnswer, isHealthCheck, STARTING } from './health-answer.ts';
import type { HttpApi } from './http-api.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Longer than clients keep idle connections, so that the gateway never closes a connection that a client is about to use. */
const KEEP_ALIVE_MS = 75_000;
/** Most clients read the answer only after they have sent their body. The rest of a body that is too large is read for this time, and dropped. */
const DRAIN_MS = 3_000;
/** Maximum wait of a request for the end of the start. It is shorter than the time limit of an answer. */
const START_MS = 25_000;

/** Status lines for unreadable requests, by error code of the parser. */
const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
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
  #current = 0;
  #idle: (() => void) | undefined;

  constructor(name: ApiName) {
    this.name = name;
    this.#server = createServer(
      { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 60_000 },
      (request, response) => {
        this.#current += 1;
        response.once('close', () => {
          this.#current -= 1;
          if (this.#current === 0) this.#idle?.();
        });
        void this.#answer(request, response);
      },
    );
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const answer = UNREADABLE[error.code ?? ''] ?? '400 Bad Request';
      if (socket.writable) socket.end(`HTTP/1.1 ${answer}\r\nConnection: close\r\n\r\n`);
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

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = pathOf(mark < 0 ? url : url.slice(0, mark));
    const shown = this.name === 'api' && isBelowV1(path) ? withApiHeaders : (answer: Answer) => answer;
    if (isHealthCheck(request.method, path)) {
      send(request, response, healthAnswer(await this.#health()));
      return;
    }
    if (!this.#isServing) await this.#start();
    if (!this.#isServing) {
      response.shouldKeepAlive = false;
      send(request, response, shown(unavailable));
      return;
    }
    const api = this.#api;
    const received = {
      method: request.method ?? 'GET',
      path,
      query: mark < 0 ? '' : url.slice(mark + 1),
      rawHeaders: request.rawHeaders,
      sourceIp: request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
      protocol: `HTTP/${request.httpVersion}`,
    };
    try {
      const body = await bodyOf(request);
      if (!body) {
        response.shouldKeepAlive = false;
        const refusal = api?.refuseTooLarge({ ...received, body: Buffer.alloc(0) }) ?? tooLarge;
        await sendBeforeEnd(request, response, shown(refusal));
        return;
      }
      const answer = api ? await api.handle({ ...received, body } satisfies Received) : notFound;
      send(request, response, shown(answer));
    } catch {
      if (!response.headersSent && !response.destroyed) send(request, response, shown(internalError));
    }
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

const isBelowV1 = (path: string) => path === '/v1' || path.startsWith('/v1/');

/** A request line may contain a whole URL: proxies send it. */
const pathOf = (target: string) =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '') || '/';

/** Undefined if the body is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return Buffer.alloc(0);
  if (Number(length) > MAX_BODY_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        request.pause();
        resolve(undefined);
      }
    });
    request.on('end', () => {
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    });
    request.on('error', reject);
  });
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const bare = status === 204 || status === 304;
  response.writeHead(status, bare ? [...headers] : [...headers, 'Content-Length', String(length)]);
  if (bare || request.method === 'HEAD') response.end();
  else response.end(body);
}

/** Sends the whole answer at once, then reads the rest of the body: closing the connection while the client sends would lose the answer. */
async function sendBeforeEnd(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
): Promise<void> {
  response.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(body))]);
  if (request.method !== 'HEAD') response.write(body);
  else response.flushHeaders();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DRAIN_MS);
    const sent = () => {
      clearTimeout(timer);
      resolve();
    };
    request.removeAllListeners('data').once('end', sent).once('close', sent).resume();
  });
  response.end();
}
