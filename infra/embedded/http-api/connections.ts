import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may be unanswered. A client that sends more without waiting loses the connection. */
const MAX_PIPELINED = 100;

export interface Connection {
  readonly address: string;
  /** Requests without an answer. */
  unanswered: number;
  /** Requests that were read to their end and have no answer: the connection is not closed for another one. */
  working: number;
  /** Work for the end of a response. */
  readonly open: Set<() => void>;
}

/**
 * Runs the work when the response has ended, or cannot end any more. Node emits no `close` for a response that waits behind another one
 * when their connection closes.
 */
export function whenOver({ open }: Connection, response: ServerResponse, work: () => void): void {
  const over = () => {
    if (open.delete(over)) work();
  };
  open.add(over);
  response.once('close', over);
}

/**
 * The connections of one listener. When all are taken, a new one replaces the oldest one without a request, of the address that has the
 * most: a client that opens thousands takes them from itself, and a reverse proxy needs no exception.
 */
export class Connections {
  readonly #max: number;
  readonly #connections = new Map<Socket, Connection>();
  /** The oldest first. */
  readonly #byAddress = new Map<string, Set<Socket>>();

  constructor(max: number) {
    this.#max = max;
  }

  get count(): number {
    return this.#connections.size;
  }

  add(socket: Socket): void {
    if (this.count >= this.#max && !this.#closeOne()) {
      socket.destroy();
      return;
    }
    const address = socket.remoteAddress ?? '';
    const connection = { address, unanswered: 0, working: 0, open: new Set<() => void>() };
    this.#connections.set(socket, connection);
    const sockets = this.#byAddress.get(address);
    if (sockets) sockets.add(socket);
    else this.#byAddress.set(address, new Set([socket]));
    socket.once('close', () => {
      this.#delete(socket);
      for (const over of connection.open) over();
    });
  }

  /** Undefined if the request must not be answered: a connection with too many unanswered requests is closed. */
  begin(socket: Socket): Connection | undefined {
    const connection = this.#connections.get(socket);
    if (!connection || connection.unanswered >= MAX_PIPELINED) {
      socket.destroy();
      return undefined;
    }
    connection.unanswered += 1;
    return connection;
  }

  #closeOne(): boolean {
    let most: Set<Socket> | undefined;
    for (const sockets of this.#byAddress.values()) if (sockets.size > (most?.size ?? 0)) most = sockets;
    for (const socket of most ?? []) {
      if (this.#connections.get(socket)?.working !== 0) continue;
      // At once, as its `close` event comes later: several new connections must not count on the same one.
      this.#delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #delete(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    this.#connections.delete(socket);
    const sockets = this.#byAddress.get(connection.address);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#byAddress.delete(connection.address);
  }
}
