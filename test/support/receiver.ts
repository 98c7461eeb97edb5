import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from './close-server.ts';

export interface Received {
  /** Path and query, as they were sent. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
  /** Whether the sender waited for the whole response. */
  isAnswered: boolean;
  /** Whether the connection is done with it, answered or not. */
  isClosed: boolean;
}

interface ReceiverResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  afterMs?: number;
  /** The response is sent when this resolves. */
  after?: Promise<void> | undefined;
}

/** Headers of a failure after which no attempt comes by itself for ten minutes: longer than a test. */
export const NO_RETRY = { 'retry-after': '600' };

/** A webhook receiver on a free port: keeps requests and answers as a test says. */
export class Receiver {
  readonly received: Received[] = [];
  /** Decides the response to the n-th request, counted from 0. */
  respond: (index: number, request: Received) => ReceiverResponse | 'hang' = () => ({ status: 200 });
  onReceived: ((request: Received) => void) | undefined;
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(): Promise<Receiver> {
    const server = createServer({ keepAlive: true });
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const taken = {
          url: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
          at: Date.now(),
          isAnswered: false,
          isClosed: false,
        };
        const index = receiver.received.push(taken) - 1;
        response.on('close', () => (taken.isClosed = true));
        receiver.onReceived?.(taken);
        const decided = receiver.respond(index, taken);
        if (decided === 'hang') return;
        response.on('finish', () => (taken.isAnswered = true));
        const respond = () => response.writeHead(decided.status, decided.headers).end(decided.body);
        if (decided.after) void decided.after.then(respond);
        else if (decided.afterMs === undefined) respond();
        else setTimeout(respond, decided.afterMs);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  get bodies(): unknown[] {
    return this.received.map(({ body }) => JSON.parse(body) as unknown);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await closeServer(this.server);
  }
}
