import { createServer, type Server } from 'node:http';
import { closeServer } from '../../support/close-server.ts';

/**
 * The receiver of the recorded webhooks. Its address is part of the recording, so it is a loopback address that nothing
 * else uses.
 */
const HOST = '127.77.32.16';
const PORT = 47_816;
export const urlOf = (name: string): string => `http://${HOST}:${PORT}/${name}`;

/** Status of the response, or no response. */
type ReceiverResponse = number | 'hang';

export class RecordedReceiver {
  /** Bodies by name of the webhook. */
  readonly received = new Map<string, string[]>();
  readonly #server: Server;
  #responses: Readonly<Record<string, ReceiverResponse>> = {};

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(responses: Readonly<Record<string, ReceiverResponse>> = {}): Promise<RecordedReceiver> {
    const server = createServer();
    const receiver = new RecordedReceiver(server);
    receiver.#responses = responses;
    server.on('request', (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const name = (request.url ?? '').slice(1);
        receiver.received.set(name, [...(receiver.received.get(name) ?? []), body]);
        const status = receiver.#responses[name] ?? 200;
        if (status !== 'hang') response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(PORT, HOST, resolve);
    });
    return receiver;
  }

  bodiesOf(name: string): readonly string[] {
    return this.received.get(name) ?? [];
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await closeServer(this.#server);
  }
}
