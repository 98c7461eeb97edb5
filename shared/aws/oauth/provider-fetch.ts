import { connectionFailure } from '../connection-failure.ts';
import { decodedStart } from '../decoded-start.ts';
import { type DeliveryAgent, READ_BYTES } from '../delivery-agent.ts';
import { destinationOf } from '../http-attempt.ts';

/** A request to a provider, in the terms of oauth4webapi. */
export interface ProviderRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  timeoutMs: number;
}

/** Like `fetch`, with the limits of requests to providers. `ownerId` is the user whose request it is. */
export type ProviderFetch = (ownerId: string, url: string, request: ProviderRequest) => Promise<Response>;

/** There was no whole response. The message is a sentence without its full stop. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

const tooLong = () => new NoResponseError(`The response is longer than ${READ_BYTES / 1024} KB`);

type Connections = Pick<DeliveryAgent, 'dispatch' | 'resolve'>;

/** The headers that the protocol reads. A challenge (`WWW-Authenticate`) says no more than the body of its response. */
const READ_HEADERS = ['content-type', 'retry-after'] as const;

const WITHOUT_BODY = new Set([204, 205, 304]);

/** One request, one response: no redirects are followed, and longer or slower responses are errors. */
export const createProviderFetch =
  (connections: Connections): ProviderFetch =>
  async (ownerId, url, request) => {
    const { status, headers, encoding, bytes } = await exchange(connections, { ownerId, url, request });
    const body = await decodedStart(bytes, encoding, READ_BYTES + 1);
    if (body.length > READ_BYTES) throw tooLong();
    return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(body), { status, headers });
  };

interface Received {
  status: number;
  headers: Record<string, string>;
  encoding: string | undefined;
  bytes: Buffer;
}

function exchange(
  connections: Connections,
  { ownerId, url, request }: { ownerId: string; url: string; request: ProviderRequest },
): Promise<Received> {
  const destination = destinationOf(url);
  if (!destination) return Promise.reject(new NoResponseError('The address is not valid'));
  const { origin, path } = destination;
  return new Promise((resolve, reject) => {
    const received: Received = { status: 0, headers: {}, encoding: undefined, bytes: Buffer.alloc(0) };
    const chunks: Buffer[] = [];
    let read = 0;
    let abort: (() => void) | undefined;
    const timer = setTimeout(
      () => fail(new NoResponseError(`No whole response came within ${request.timeoutMs / 1_000} s`)),
      request.timeoutMs,
    );
    const fail = (error: unknown) => {
      clearTimeout(timer);
      reject(error instanceof NoResponseError ? error : new NoResponseError(connectionFailure(error)));
      abort?.();
    };
    const send = () =>
      connections.dispatch(
        {
          origin,
          path,
          method: request.method === 'GET' ? 'GET' : 'POST',
          headers: { ...request.headers, 'accept-encoding': 'identity', 'user-agent': 'Tributary' },
          body: request.body ?? null,
        },
        {
          onRequestStart(controller) {
            abort = () => controller.abort(new Error('No longer needed'));
          },
          onResponseStart(_controller, status, headers) {
            if (status < 200) return;
            received.status = status;
            for (const name of READ_HEADERS) {
              const value = headers[name];
              if (typeof value === 'string') received.headers[name] = value;
            }
            const encoding = headers['content-encoding'];
            if (typeof encoding === 'string') received.encoding = encoding;
          },
          onResponseData(_controller, chunk) {
            read += chunk.length;
            if (read > READ_BYTES) fail(tooLong());
            else chunks.push(chunk);
          },
          onResponseEnd() {
            clearTimeout(timer);
            resolve({ ...received, bytes: Buffer.concat(chunks) });
          },
          onResponseError: (_controller, error) => fail(error),
        },
      );
    connections.resolve(destination, ownerId, (failure) => {
      try {
        if (failure) throw failure;
        send();
      } catch (error) {
        fail(error);
      }
    });
  });
}
