import { type AddressInfo, type Server, createServer } from 'node:net';
import { closeServer } from './close-server.ts';

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';

/** Malformed responses to a POST. Each fails the attempt. */
export const MALFORMED = {
  'a switch of protocols': 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'a switch to WebSocket': 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x81',
  'a switch with a body': 'HTTP/1.1 101 Switching Protocols\r\nContent-Length: 2\r\n\r\nok',
  'the status 000': 'HTTP/1.1 000 Nothing\r\n\r\n',
  'the status 099': 'HTTP/1.1 099 Little\r\n\r\n',
  'the status 2000': 'HTTP/1.1 2000 Much\r\n\r\n',
  'another protocol': 'SSH-2.0-OpenSSH_9.6\r\n',
  'only an interim response': 'HTTP/1.1 100 Continue\r\n\r\n',
  'twenty thousand interim responses': EARLY_HINTS.repeat(20_000),
  'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok',
  'a negative length': 'HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok',
  'headers of 300 KB': `HTTP/1.1 200 OK\r\nX: ${'h'.repeat(300 * 1024)}\r\n\r\n`,
  'half a head': 'HTTP/1.1 200 OK\r\nConte',
  'an end at once': '',
} as const;

/** Responses that break after a complete head: the status counts. */
export const MALFORMED_BODIES = {
  'fewer bytes than it says': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok',
  'chunks without a size': `${CHUNKED}zz\r\nok\r\n0\r\n\r\n`,
  'chunks of a size beyond all numbers': `${CHUNKED}${'f'.repeat(40)}\r\nok\r\n0\r\n\r\n`,
  'trailers of 64 KB': `${CHUNKED}2\r\nok\r\n0\r\nX: ${'h'.repeat(64 * 1024)}\r\n\r\n`,
  'a second response that nobody asked for': 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'.repeat(2),
} as const;

/** Answers the first request to each path with the bytes given, the others with 200. */
export class MalformedResponses {
  readonly #requested: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(responses: readonly string[]): Promise<MalformedResponses> {
    const server = createServer();
    const malformed = new MalformedResponses(server);
    server.on('connection', (socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', (head) => {
        const [, path = ''] = /^POST \/(\S+)/.exec(head.toString('latin1')) ?? [];
        const isFirst = !malformed.#requested.includes(path);
        malformed.#requested.push(path);
        const fine = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
        socket.end((isFirst ? responses[Number(path)] : undefined) ?? fine, 'latin1');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return malformed;
  }

  /** URL of the n-th response. */
  url(index: number): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${index}`;
  }

  requestCount(index: number): number {
    return this.#requested.filter((path) => path === String(index)).length;
  }

  async stop(): Promise<void> {
    await closeServer(this.#server);
  }
}
