import { randomUUID } from 'node:crypto';
import { AwsError, type Output } from '../../../infra/embedded/call.ts';

/**
 * AWS JSON 1.0, the protocol of DynamoDB, SQS and KMS: `X-Amz-Target` names the operation, input and output are JSON,
 * blobs are base64 and timestamps epoch seconds. https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
 */

/** The members of an SDK's `HttpRequest` that the protocol uses. */
interface JsonRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An `HttpResponse` for an SDK client. */
interface JsonResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** The differences of one service's shapes from their JSON (blobs in the input, typed attribute values). */
export interface JsonCodec {
  decode?(operation: string, json: Record<string, unknown>): Record<string, unknown>;
  encode?(operation: string, output: Output): unknown;
  /** Extra headers of an error, e.g. `x-amzn-query-error` of SQS. */
  errorHeaders?(error: AwsError): Record<string, string>;
}

/** Reads operation and input. Throws {@link AwsError} for a request that is not AWS JSON. */
function readRequest(request: JsonRequest, codec: JsonCodec): { operation: string; input: Record<string, unknown> } {
  const target = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'x-amz-target')?.[1];
  const operation = target?.slice(target.lastIndexOf('.') + 1);
  if (!operation) throw new AwsError('UnknownOperationException', '');
  let json: unknown;
  try {
    json = JSON.parse(bodyText(request.body) || '{}');
  } catch {
    throw new AwsError('SerializationException', 'Start of structure or map found where not expected');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new AwsError('SerializationException', 'Unexpected value type in payload');
  }
  const input = json as Record<string, unknown>;
  return { operation, input: codec.decode ? codec.decode(operation, input) : input };
}

function writeOutput(operation: string, output: Output, codec: JsonCodec): JsonResponse {
  return response(200, codec.encode ? codec.encode(operation, output) : output);
}

/** An error that is no {@link AwsError} is a failure of the embedded service: a 500, as on AWS. */
function writeError(error: unknown, codec: JsonCodec): JsonResponse {
  const known =
    error instanceof AwsError ? error : new AwsError('InternalServerError', String(error), { statusCode: 500 });
  const body = { __type: `com.amazonaws#${known.name}`, message: known.message, ...known.members };
  return response(known.statusCode, body, codec.errorHeaders?.(known));
}

/** A `requestHandler` that passes an SDK client's requests to `call` instead of a socket. */
export function jsonRequestHandler(
  call: (operation: string, input: Record<string, unknown>) => Promise<Output>,
  codec: JsonCodec = {},
): {
  metadata: { handlerProtocol: string };
  handle(request: JsonRequest): Promise<{ response: JsonResponse }>;
} {
  return {
    metadata: { handlerProtocol: 'h1' },
    async handle(request) {
      try {
        const { operation, input } = readRequest(request, codec);
        return { response: writeOutput(operation, await call(operation, input), codec) };
      } catch (error) {
        return { response: writeError(error, codec) };
      }
    },
  };
}

function bodyText(body: unknown): string {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  throw new AwsError('SerializationException', 'The body is neither text nor bytes.');
}

function response(statusCode: number, body: unknown, headers: Record<string, string> = {}): JsonResponse {
  const bytes = Buffer.from(JSON.stringify(body, encodeMember));
  return {
    statusCode,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(bytes.length),
      'x-amzn-requestid': randomUUID(),
      ...headers,
    },
    body: bytes,
  };
}

/**
 * Blobs as base64 and dates as epoch seconds. `this` is the holder: it has the value before `toJSON` of Date and Buffer
 * ran.
 */
function encodeMember(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key];
  if (original instanceof Uint8Array) {
    return Buffer.from(original.buffer, original.byteOffset, original.byteLength).toString('base64');
  }
  if (original instanceof Date) return original.getTime() / 1000;
  return value;
}
