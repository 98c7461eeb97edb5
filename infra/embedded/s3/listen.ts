import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createHash } from 'node:crypto';
import { AwsError, type Dispatch } from '../call.ts';
import type { Clock } from '../clock.ts';
import { signerOf, type Credentials } from './signature.ts';
import { readRequest, type WireRequest } from './wire-request.ts';
import { writeError, writeOutput, type WireResponse } from './wire-response.ts';

export interface ListenOptions {
  readonly clock: Clock;
  readonly region: string;
  readonly credentials: Credentials;
  /** Where a request goes in the name of its signer; this is where it is authorised. */
  readonly dispatch: Dispatch;
  /** Taken from the environment by no one: 0 finds a free one. */
  readonly port?: number;
}

export interface Listener {
  /** `http://127.0.0.1:12345` */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Refused uploads up to here are read to their end, so that the client gets to read why. */
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;

/** S3's REST protocol on a socket of this machine, for presigned addresses and for SDK clients with this endpoint. */
export async function listen({ port = 0, ...options }: ListenOptions): Promise<Listener> {
  const server = createServer((request, response) => {
    void answer(request, options)
      .catch((error: unknown) => writeError(error, { method: request.method ?? '', path: pathOf(request) }))
      .then((answered) => send(answered, request, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
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

async function answer(
  incoming: IncomingMessage,
  { clock, region, credentials, dispatch }: Omit<ListenOptions, 'port'>,
): Promise<WireResponse> {
  const request = wireRequest(incoming);
  const { role, payload } = signerOf(request, { credentials, region, now: clock.now() });
  const body = /^[0-9a-f]{64}$/.test(payload) ? hashed(request.body, payload) : request.body;
  const { operation, input } = await readRequest({ ...request, body });
  return writeOutput(operation, await dispatch({ role, service: 'S3', operation, input }));
}

function wireRequest(incoming: IncomingMessage): WireRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    headers[name] = [value ?? ''].flat().join(',');
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: incoming.method ?? 'GET',
    path: pathOf(incoming),
    query:
      mark < 0
        ? []
        : url
            .slice(mark + 1)
            .split('&')
            .filter(Boolean)
            .map(parameter),
    headers,
    body: incoming as AsyncIterable<Uint8Array>,
    hostBucket: bucketOfHost(headers['host'] ?? ''),
  };
}

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?')[0] ?? '/';

function parameter(text: string): readonly [string, string] {
  const [name = '', value = ''] = text.split(/=(.*)/s);
  try {
    return [decodeURIComponent(name), decodeURIComponent(value)];
  } catch {
    throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
  }
}

/** `bucket` of `bucket.localhost` and `bucket.s3.region.amazonaws.com`; an address or a bare host names none. */
function bucketOfHost(host: string): string | undefined {
  const name = host.replace(/:\d+$/, '');
  if (isIP(name) !== 0) return undefined;
  return /^(.+?)\.(?:localhost|s3[.-][a-z0-9.-]*amazonaws\.com)$/.exec(name)?.[1];
}

async function* hashed(body: AsyncIterable<Uint8Array>, expected: string): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== expected) {
    throw new AwsError(
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
}

async function send(
  { statusCode, headers, body }: WireResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isUnread = !request.complete;
  response.writeHead(statusCode, isUnread ? { ...headers, connection: 'close' } : headers);
  if (body !== undefined && typeof body !== 'string' && request.method !== 'HEAD') {
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
