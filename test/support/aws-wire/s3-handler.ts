import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Output } from '../../../infra/embedded/call.ts';
import { chunksOf } from '../../../infra/embedded/s3/body.ts';
import { methodNotAllowed, notImplemented } from '../../../infra/embedded/s3/errors.ts';
import { type PresignedRequest, readObjectCall } from '../../../infra/embedded/s3/presigned-request.ts';
import {
  errorResponse,
  objectResponse,
  type PresignedResponse,
  requestHeaders,
} from '../../../infra/embedded/s3/presigned-response.ts';
import { xmlDocument, type XmlContent } from './xml.ts';

/**
 * S3 on the wire: presigned addresses read and write objects in production; SDK clients also delete, copy and send
 * chunks.
 */

type Call = (operation: string, input: Record<string, unknown>) => Promise<Output>;

/** The members of an SDK's `HttpRequest` that the protocol uses. */
interface SdkRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A `requestHandler` that passes an SDK client's requests to `call` instead of a socket. URLs are path-style. */
export function s3RequestHandler(call: Call): {
  metadata: { handlerProtocol: string };
  handle(request: SdkRequest): Promise<{ response: Omit<PresignedResponse, 'body'> & { body?: Readable } }>;
} {
  return {
    metadata: { handlerProtocol: 'h1' },
    async handle({ method, path, query, headers, body }) {
      const response = await respondToS3(
        {
          method,
          path,
          query: Object.entries(query).flatMap(([name, value]) =>
            [value ?? ''].flat().map((one) => [name, one] as const),
          ),
          headers: withLength(headers, body),
          body: Readable.from(chunksOf(body ?? '')),
        },
        call,
      );
      const stream = typeof response.body === 'string' ? Readable.from([Buffer.from(response.body)]) : response.body;
      const { statusCode, headers: answered } = response;
      return { response: { statusCode, headers: answered, ...(stream && { body: stream }) } };
    },
  };
}

export async function respondToS3(request: PresignedRequest, call: Call): Promise<PresignedResponse> {
  try {
    const { operation, input } = await readRequest(request);
    const output = await call(operation, input);
    switch (operation) {
      case 'DeleteObject':
        return { statusCode: 204, headers: requestHeaders() };
      case 'CopyObject':
        return xmlResponse('CopyObjectResult', output['CopyObjectResult'] as XmlContent);
      case 'ListObjectsV2':
        return xmlResponse('ListBucketResult', output as XmlContent);
      default:
        return objectResponse(output);
    }
  } catch (error) {
    return errorResponse(error, request);
  }
}

async function readRequest(request: PresignedRequest): Promise<{ operation: string; input: Record<string, unknown> }> {
  const { method, headers } = request;
  const list = listInput(request);
  if (list) return { operation: 'ListObjectsV2', input: list };
  if (method === 'HEAD') throw methodNotAllowed({ Method: method, ResourceType: 'OBJECT' });
  if (method === 'DELETE') {
    const { Bucket, Key } = readObjectCall({ ...request, method: 'GET', headers: {} }).input;
    return { operation: 'DeleteObject', input: { Bucket, Key } };
  }
  const { 'x-amz-copy-source': CopySource, ...others } = headers;
  if (CopySource === undefined) {
    const isChunked = (headers['content-encoding'] ?? '').includes('aws-chunked');
    return readObjectCall(isChunked ? await withoutChunks(request) : request);
  }
  const { Body, ContentLength, Bucket, Key } = readObjectCall({ ...request, headers: others }).input;
  if (Body === undefined || ContentLength !== 0) throw notImplemented('A copy with a body');
  return { operation: 'CopyObject', input: { Bucket, Key, CopySource } };
}

/** The input of a request that lists a bucket: its path names no key. */
function listInput({ method, path, query }: PresignedRequest): Record<string, unknown> | undefined {
  const parameters = new Map(query);
  if (method !== 'GET' || parameters.get('list-type') !== '2') return undefined;
  return {
    Bucket: decodeURIComponent(path).replaceAll('/', ''),
    Prefix: parameters.get('prefix'),
    ContinuationToken: parameters.get('continuation-token'),
    StartAfter: parameters.get('start-after'),
  };
}

/**
 * Clients send streams in chunks and their checksum in a trailer.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */
async function withoutChunks(request: PresignedRequest): Promise<PresignedRequest> {
  const { 'x-amz-decoded-content-length': length = '', 'content-encoding': encoding = '', ...rest } = request.headers;
  const headers: Record<string, string> = { ...rest };
  delete headers['x-amz-trailer'];
  const sent = await buffer(Readable.from(request.body));
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = sent.indexOf('\r\n', at);
    const size = Number.parseInt(sent.toString('latin1', at, end), 16);
    at = end + 2;
    if (size === 0) break;
    chunks.push(sent.subarray(at, at + size));
    at += size + 2;
  }
  const trailers = sent.toString('latin1', at).split('\r\n').filter(Boolean);
  const own = encoding.split(',').filter((part) => part.trim() !== 'aws-chunked');
  return {
    ...request,
    headers: {
      ...headers,
      ...(own.length > 0 && { 'content-encoding': own.join(',') }),
      ...Object.fromEntries(trailers.map((trailer) => trailer.split(/:(.*)/s).slice(0, 2))),
      'content-length': length,
    },
    body: Readable.from(chunks),
  };
}

function xmlResponse(root: string, result: XmlContent): PresignedResponse {
  const body = xmlDocument(root, result, 'http://s3.amazonaws.com/doc/2006-03-01/');
  const headers = {
    ...requestHeaders(),
    'content-type': 'application/xml',
    'content-length': String(Buffer.byteLength(body)),
  };
  return { statusCode: 200, headers, body };
}

/** On a socket, a body of known length has its length in a header. */
function withLength(headers: SdkRequest['headers'], body: unknown): Record<string, string> {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (body === undefined || body === '') lower['content-length'] ??= '0';
  return lower;
}
