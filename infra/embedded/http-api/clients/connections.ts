import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../../../shared/domain/network/network-of.ts';
import type { ClientConnection } from '../../../../shared/lib/reading/client-connection.ts';
import { Fifo } from '../../../../shared/lib/fifo.ts';

/** Requests of one connection that may be unanswered. A client that sends more without waiting loses the connection. */
const MAX_PIPELINED = 100;
/** The requests among these that are in work. The others wait, in their order. */
const MAX_IN_WORK = 10;

/** One connection of a client. */
export class Connection {
  /** The client. */
  readonly network: string;
  /** Its unanswered requests. */
  readonly open = new Set<OpenRequest>();
  /** Requests that were read to their end and have no response: the connection is not closed for another one. */
  working = 0;
  readonly #socket: Socket;
  readonly #waiting = new Fifo<{ readonly open: OpenRequest; readonly work: () => void }>();
  #inWork = 0;
  #onAnswered: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.network = networkOf(socket.remoteAddress ?? '');
  }

  /** Starts the work of a request when its turn has come, unless the connection is closed before. */
  start(open: OpenRequest, work: () => void): void {
    if (this.#inWork >= MAX_IN_WORK) {
      this.#waiting.push({ open, work });
      return;
    }
    this.#inWork += 1;
    open.isInWork = true;
    work();
  }

  /** Runs the work once, when no response is under way or owed to a complete request. */
  whenAnswered(work: () => void): void {
    this.#onAnswered ??= work;
    this.#lookAnswered();
  }

  ended({ isInWork }: OpenRequest): void {
    if (this.#socket.destroyed) return;
    if (isInWork) {
      this.#inWork -= 1;
      const next = this.#waiting.shift();
      if (next) this.start(next.open, next.work);
    }
    this.#lookAnswered();
  }

  close(): void {
    for (const request of this.open) request.end();
  }

  #lookAnswered(): void {
    if (!this.#onAnswered) return;
    for (const { isOwed } of this.open) if (isOwed) return;
    this.#onAnswered();
    this.#onAnswered = () => undefined;
  }
}

interface OpenRequestOptions {
  readonly connection: Connection;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly onEnd: () => void;
}

/**
 * A request until its response has ended, or cannot end any more. Node emits no `close` for a response that waits
 * behind another one when their connection closes.
 */
export class OpenRequest implements ClientConnection {
  isInWork = false;
  #isRead = false;
  readonly #options: OpenRequestOptions;
  #alsoOnEnd: Set<() => void> | undefined;

  constructor(options: OpenRequestOptions) {
    this.#options = options;
    options.connection.open.add(this);
    options.response.on('close', () => {
      this.end();
    });
  }

  get isOpen(): boolean {
    return this.#options.connection.open.has(this);
  }

  /** Its body was read to its end. From now on its connection is not closed for another one. */
  markRead(): void {
    if (this.#isRead || !this.isOpen) return;
    this.#isRead = true;
    this.#options.connection.working += 1;
  }

  /** Whether the client is to get its response before anything else. */
  get isOwed(): boolean {
    const { request, response } = this.#options;
    return request.complete || response.headersSent;
  }

  /** Runs the work at the end, too. */
  whenOver(work: () => void): () => void {
    if (this.isOpen) (this.#alsoOnEnd ??= new Set()).add(work);
    else work();
    return () => void this.#alsoOnEnd?.delete(work);
  }

  end(): void {
    const { connection, onEnd } = this.#options;
    if (!connection.open.delete(this)) return;
    if (this.#isRead) connection.working -= 1;
    onEnd();
    for (const work of this.#alsoOnEnd ?? []) work();
    connection.ended(this);
  }
}

/**
 * The connections of one listener. When all are taken, a new one replaces the oldest one without a request, of the
 * client that has the most: a client that opens thousands takes them from itself, and a reverse proxy needs no
 * exception.
 */
export class Connections {
  readonly #max: number;
  readonly #connections = new Map<Socket, Connection>();
  /** The oldest first. */
  readonly #byNetwork = new Map<string, Set<Socket>>();

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
    const connection = new Connection(socket);
    this.#connections.set(socket, connection);
    const sockets = this.#byNetwork.get(connection.network);
    if (sockets) sockets.add(socket);
    else this.#byNetwork.set(connection.network, new Set([socket]));
    socket.once('close', () => {
      this.#delete(socket);
      connection.close();
    });
  }

  find(socket: Socket): Connection | undefined {
    return this.#connections.get(socket);
  }

  /** Undefined if a further request must not be answered: a connection with too many unanswered requests is closed. */
  connectionOf(socket: Socket): Connection | undefined {
    const connection = this.find(socket);
    if (!connection || connection.open.size >= MAX_PIPELINED) {
      socket.destroy();
      return undefined;
    }
    return connection;
  }

  #closeOne(): boolean {
    let most: Set<Socket> | undefined;
    for (const sockets of this.#byNetwork.values()) if (sockets.size > (most?.size ?? 0)) most = sockets;
    for (const socket of most ?? []) {
      if (this.find(socket)?.working !== 0) continue;
      // At once, as its `close` event comes later: several new connections must not count on the same one.
      this.#delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #delete(socket: Socket): void {
    const connection = this.find(socket);
    if (!connection) return;
    this.#connections.delete(socket);
    const sockets = this.#byNetwork.get(connection.network);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#byNetwork.delete(connection.network);
  }
}
