import { randomUUID } from 'node:crypto';
import { AwsError, type Output } from '../call.ts';

/**
 * AWS JSON 1.0, as DynamoDB and SQS speak it: the operation stands in `X-Amz-Target`, input and output are JSON, blobs
 * are base64 and timestamps epoch seconds. https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
 */

/** The members of an SDK's `HttpRequest` that matter here. */
export interface JsonRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What an SDK client accepts as an `HttpResponse`. */
export interface JsonResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** How one service's shapes differ from their JSON (blobs in the input, typed attribute values). */
export interface JsonCodec {
  decode?(operation: string, json: Record<string, unknown>): Record<string, unknown>;
  encode?(operation: string, output: Output): unknown;
  /** Extra headers of an error, e.g. `x-amzn-query-error` of SQS. */
  errorHeaders?(error: AwsError): Record<string, string>;
}

export interface JsonCall {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

/** Reads operation and input; throws {@link AwsError} for what no AWS JSON endpoint would understand. */
export function readRequest(request: JsonRequest, codec: JsonCodec = {}): JsonCall {
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

export function writeOutput(operation: string, output: Output, codec: JsonCodec = {}): JsonResponse {
  return response(200, codec.encode ? codec.encode(operation, output) : output);
}

/** Anything that is no {@link AwsError} is ours, and answered as AWS answers its own failures. */
export function writeError(error: unknown, codec: JsonCodec = {}): JsonResponse {
  const known =
    error instanceof AwsError
      ? error
      : new AwsError('InternalServerError', String(error), { statusCode: 500 });
  // A few services answer `message`, most clients read either; the type's namespace is stripped by every SDK.
  const body = { __type: `com.amazonaws#${known.name}`, message: known.message, ...known.members };
  return response(known.statusCode, body, codec.errorHeaders?.(known));
}

/** A `requestHandler` for an SDK client whose requests end in `call` instead of a socket. */
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
  if (body instanceof Uint8Array)
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
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

/** Blobs as base64 and dates as epoch seconds; `this` is the holder, before `toJSON` of Date and Buffer had its say. */
function encodeMember(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key];
  if (original instanceof Uint8Array) {
    return Buffer.from(original.buffer, original.byteOffset, original.byteLength).toString('base64');
  }
  if (original instanceof Date) return original.getTime() / 1000;
  return value;
}
