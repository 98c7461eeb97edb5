import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatch } from '../call.ts';
import type { Clock } from '../clock.ts';
import { maxConnections } from '../max-connections.ts';
import { readObjectCall, type PresignedRequest } from './presigned-request.ts';
import { errorResponse, objectResponse, type PresignedResponse } from './presigned-response.ts';
import { noRoom } from './errors.ts';
import { signerRoleOf, type FindSigner } from './presigned-signature.ts';

interface PresignedOptions {
  readonly clock: Clock;
  readonly region: string;
  readonly credentials: FindSigner;
  /** Takes each request as a call of its signer, and authorises it. */
  readonly dispatch: Dispatch;
  /** False refuses uploads. Default: they are taken. */
  readonly mayUpload?: () => boolean;
}

interface PresignedSocket {
  /** `http://127.0.0.1:12345` */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** The socket reads refused uploads up to this size, so that the client reads the response. */
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;

/** Serves presigned addresses on a port of this machine. */
export async function openPresignedSocket(options: PresignedOptions): Promise<PresignedSocket> {
  const server = createServer({ headersTimeout: 20_000 }, (request, response) => {
    void respondToPresigned(presignedRequest(request), options)
      .then((presigned) => send(presigned, request, response))
      .catch(() => response.destroy());
  });
  // Any process of this machine may connect; a request without a signature is refused before its body is stored.
  server.maxConnections = maxConnections();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Runs a request to a presigned address as a call of its signer. */
export async function respondToPresigned(
  request: PresignedRequest,
  { clock, region, credentials, dispatch, mayUpload = () => true }: PresignedOptions,
): Promise<PresignedResponse> {
  try {
    const role = signerRoleOf(request, { credentials, region, now: clock.now() });
    const { operation, input } = readObjectCall(request);
    if (operation === 'PutObject' && !mayUpload()) throw noRoom();
    return objectResponse(await dispatch({ role, service: 'S3', operation, input }));
  } catch (error) {
    return errorResponse(error, request);
  }
}

export function presignedRequest(incoming: IncomingMessage): PresignedRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = [value ?? ''].flat().join(',');
  const [path = '/', query = ''] = (incoming.url ?? '/').split(/\?(.*)/s);
  return {
    method: incoming.method ?? 'GET',
    path,
    query: query.split('&').filter(Boolean).map(parameter),
    headers,
    body: incoming as AsyncIterable<Uint8Array>,
  };
}

/** A malformed escape stays as it is: the signature then fails. */
function parameter(text: string): readonly [string, string] {
  const [name = '', value = ''] = text.split(/=(.*)/s);
  try {
    return [decodeURIComponent(name), decodeURIComponent(value)];
  } catch {
    return [name, value];
  }
}

async function send(
  { statusCode, headers, body }: PresignedResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isUnread = !request.complete;
  response.writeHead(statusCode, isUnread ? { ...headers, connection: 'close' } : headers);
  if (body !== undefined && typeof body !== 'string') {
    await pipeline(body as Readable, response);
    return;
  }
  response.end(body);
  if (isUnread) drain(request);
}

function drain(request: IncomingMessage): void {
  let left = MAX_DRAINED_BYTES;
  request.on('data', (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
}
