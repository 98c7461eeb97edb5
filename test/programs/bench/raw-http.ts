import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { epochMs } from './epoch-ms.ts';

/**
 * Both ends of a load, as lean as they can be: on a machine of two cores what they use is taken from what they measure.
 * One request at a time on each connection, kept alive; bodies with a `Content-Length` only, which is all that the
 * service and this file send.
 */

const HEAD_END = '\r\n\r\n';
/** Only the start of a body is kept. */
const KEPT = 256;

/**
 * Calls back with the head of every message and the start of its body (as Latin-1), once the message has arrived whole.
 */
function messages(socket: Socket, take: (head: string, start: string) => void): void {
  let head = '';
  let start = '';
  /** Bytes of the body that have yet to come; undefined while the head is incomplete. */
  let left: number | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    let text = chunk;
    for (;;) {
      if (left === undefined) {
        head += text;
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        text = head.slice(end + HEAD_END.length);
        head = head.slice(0, end);
        start = '';
        left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      }
      const part = text.slice(0, left);
      if (start.length < KEPT) start += part.slice(0, KEPT);
      left -= part.length;
      if (left > 0) return;
      text = text.slice(part.length);
      take(head, start);
      head = '';
      left = undefined;
      if (text === '') return;
    }
  });
}

type OnBody = (start: string, at: number) => void;
const ignore: OnBody = () => undefined;

/** Takes POSTs, answers each with an empty 200, and hands on the start of the body and when the body was there. */
export async function startSink(): Promise<{
  url: string;
  onBody: OnBody;
  stop(): void;
}> {
  const sockets = new Set<Socket>();
  const sink = {
    url: '',
    onBody: ignore,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    messages(socket, (_head, start) => {
      sink.onBody(start, epochMs());
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sink.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return sink;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** One connection at a time, made again when the service has closed the one before. `post` resolves with the status. */
export class RawClient {
  private readonly address: { host: string; port: number };
  private readonly head: string;
  private socket: Socket;
  private settle: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;

  constructor({ ingress, headers = {} }: { ingress: string; headers?: Readonly<Record<string, string>> }) {
    const { hostname, port, host } = new URL(ingress);
    this.head = Object.entries({ host, ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    this.address = { host: hostname, port: Number(port) };
    this.socket = this.connected();
  }

  private connected(): Socket {
    const socket = connect({ ...this.address, noDelay: true });
    messages(socket, (head) => this.settle?.resolve(Number(head.slice(9, 12))));
    const lost = (error: Error) => {
      if (this.socket === socket) this.settle?.reject(error);
    };
    socket.on('error', lost).on('close', () => lost(new Error('The service closed the connection.')));
    return socket;
  }

  post(path: string, json: string): Promise<number> {
    return new Promise((resolve, reject) => {
      if (!this.socket.writable) this.socket = this.connected();
      this.settle = { resolve, reject };
      this.socket.write(
        `POST ${path} HTTP/1.1\r\n${this.head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
      );
    });
  }

  close(): void {
    this.socket.destroy();
  }
}
