import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../../../infra/embedded/clock.ts';
import { noFaults } from '../../../../../infra/embedded/faults.ts';
import { Gateway } from '../../../../../infra/embedded/http-api/gateway.ts';
import { type GatewayOptions, gatewayOptions } from '../../../../../infra/embedded/http-api/gateway-options.ts';
import { HttpApi } from '../../../../../infra/embedded/http-api/http-api.ts';
import type { Invocation } from '../../../../../infra/embedded/lambda/invocation.ts';
import type { Outcome } from '../../../../../infra/embedded/lambda/outcome.ts';

export const MIB = 1024 * 1024;

/** The event that a function of a test gets. */
export interface TestEvent {
  readonly rawPath: string;
  readonly body?: string;
  readonly headers: Record<string, string>;
  readonly isHeadCheck?: boolean;
}

type Handler = (event: TestEvent) => object | Promise<object>;

/** Answers with the length of the body. */
const echoLength: Handler = ({ body, headers }) => {
  const isTooLarge = body === undefined && Number(headers['content-length'] ?? 0) > MIB;
  return { statusCode: isTooLarge ? 413 : 200, body: String(body?.length) };
};

interface EchoOptions extends Partial<GatewayOptions> {
  readonly name?: 'api' | 'ingress';
  readonly handle?: Handler;
  /** A function that streams its response, in place of `handle`. */
  readonly stream?: (invocation: Invocation) => Promise<Outcome>;
  readonly timeoutMs?: number;
  readonly hasHeadChecks?: boolean;
  /** `127.0.0.0/8` has many addresses for clients. */
  readonly host?: string;
}

/** A gateway in this process, with one function. */
export async function openEcho({
  name = 'api',
  handle = echoLength,
  stream,
  timeoutMs = 30_000,
  hasHeadChecks = false,
  host = '127.0.0.1',
  ...overrides
}: EchoOptions = {}): Promise<{ gateway: Gateway; port: number }> {
  const gateway = new Gateway(name, { ...gatewayOptions(), ...overrides });
  onTestFinished(() => gateway.stop(0));
  const port = await gateway.listen(host, 0);
  const route = {
    key: '$default',
    functionName: 'f',
    timeoutMs,
    isUrl: stream !== undefined,
    sourceArn: 'arn',
  };
  const spec = {
    ...{ id: 'api', name, cors: undefined, throttle: undefined, bodyLimit: MIB, hasHeadChecks },
    routes: [route],
  };
  const integrations = {
    mayInvoke: () => true,
    invoke: async (_: string, invocation: Invocation) =>
      stream ? stream(invocation) : ({ ok: true, value: await handle(invocation.event as TestEvent) } as const),
  };
  const room = { isForNewData: true };
  const api = new HttpApi(spec, {
    integrations,
    room,
    clock: systemClock,
    faults: noFaults,
    domainName: 'here',
  });
  gateway.serve(api, () => Promise.resolve(undefined));
  return { gateway, port };
}

export interface Sender {
  readonly socket: Socket;
  heard(): string;
  isClosed(): boolean;
}

/** A connection of a client, at an address of the loopback network, that sends a text. */
export function sender(port: number, text: string | Buffer, from = '127.0.0.1'): Sender {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.write(text);
  onTestFinished(() => {
    socket.destroy();
  });
  let heard = '';
  let isClosed = false;
  socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  return { socket, heard: () => heard, isClosed: () => isClosed };
}

export const post = (headers: string, path = '/x') =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\n${headers}\r\n\r\n`;

/** The status of the first response. */
export const status = (text: string) => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];

/** The statuses of all responses, in their order. */
export const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, each]) => Number(each));
