import { Socket } from 'node:net';
import { LineReader } from '../../lib/line-reader.ts';
import { type Dict, isDict } from '../guards.ts';

/** File name of the gateway's socket for connections, beside the one for requests. */
export const CONNECTIONS = 'connections';

/**
 * A request to the gateway. The response to `connect` comes when the target is connected; its bytes go through {@link
 * CONNECTIONS}.
 */
export type GatewayRequest =
  | { connect: { host: string; port: number; family?: number } }
  | { lookup: { host: string; family?: number; hints?: number } }
  | { resolve: { name: string; type: string } };

interface Pending {
  resolve: (response: Dict) => void;
  reject: (error: Error) => void;
}

/**
 * The connection of a sandboxed process to the gateway: one request and one response per line of JSON. It keeps the
 * process running only while a request waits for its response.
 */
export class GatewayClient {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  #count = 0;

  /** `connect` is Node's own, from before it was replaced. */
  constructor(path: string, connect: (socket: Socket, path: string) => void) {
    const lines = new LineReader();
    this.#socket = new Socket();
    connect(this.#socket, path);
    this.#socket.unref();
    this.#socket.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) this.#take(JSON.parse(line));
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      for (const { reject } of this.#pending.values()) reject(closed());
      this.#pending.clear();
    });
  }

  newId(): number {
    return (this.#count += 1);
  }

  /** Rejects with the error of the gateway, as Node's own call would. */
  request(id: number, request: GatewayRequest): Promise<Dict> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(closed());
      this.#pending.set(id, { resolve, reject });
      this.#socket.ref();
      this.#socket.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  }

  #take(response: unknown): void {
    if (!isDict(response) || typeof response['id'] !== 'number') return;
    const pending = this.#pending.get(response['id']);
    this.#pending.delete(response['id']);
    if (this.#pending.size === 0) this.#socket.unref();
    const { error } = response;
    if (isDict(error)) pending?.reject(Object.assign(new Error(String(error['message'])), error));
    else pending?.resolve(response);
  }
}

const closed = () => Object.assign(new Error('The gateway is closed.'), { code: 'ECONNRESET' });
