import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may be unanswered. A client that sends more without waiting loses the connection. */
const MAX_PIPELINED = 100;

export interface Connection {
  readonly address: string;
  /** Requests without a response. */
  unanswered: number;
  /** Requests that were read to their end and have no response: the connection is not closed for another one. */
  working: number;
  readonly open: Set<OpenRequest>;
}

/**
 * A request until its response has ended, or cannot end any more. Node emits no `close` for a response that waits behind another one when
 * their connection closes.
 */
export class OpenRequest {
  readonly #connection: Connection;
  readonly #onEnd: () => void;
  #isRead = false;
  #alsoOnEnd: (() => void) | undefined;

  constructor(connection: Connection, response: ServerResponse, onEnd: () => void) {
    this.#connection = connection;
    this.#onEnd = onEnd;
    connection.unanswered += 1;
    connection.open.add(this);
    response.on('close', () => {
      this.end();
    });
  }

  /** From now on its connection is not closed for another one. */
  markRead(): void {
    if (this.#isRead || !this.#connection.open.has(this)) return;
    this.#isRead = true;
    this.#connection.working += 1;
  }

  /** Runs the work at the end, too. */
  whenOver(work: () => void): void {
    if (this.#connection.open.has(this)) this.#alsoOnEnd = work;
    else work();
  }

  end(): void {
    if (!this.#connection.open.delete(this)) return;
    this.#connection.unanswered -= 1;
    if (this.#isRead) this.#connection.working -= 1;
    this.#onEnd();
    this.#alsoOnEnd?.();
  }
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
    const connection = { address, unanswered: 0, working: 0, open: new Set<OpenRequest>() };
    this.#connections.set(socket, connection);
    const sockets = this.#byAddress.get(address);
    if (sockets) sockets.add(socket);
    else this.#byAddress.set(address, new Set([socket]));
    socket.once('close', () => {
      this.#delete(socket);
      for (const request of connection.open) request.end();
    });
  }

  /** Undefined if a further request must not be answered: a connection with too many unanswered requests is closed. */
  connectionOf(socket: Socket): Connection | undefined {
    const connection = this.#connections.get(socket);
    if (!connection || connection.unanswered >= MAX_PIPELINED) {
      socket.destroy();
      return undefined;
    }
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
