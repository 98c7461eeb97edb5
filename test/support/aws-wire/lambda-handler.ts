import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { AwsError, type Output } from '../../../infra/embedded/call.ts';
import type { StreamEvent } from '../../../infra/embedded/lambda/piece-stream.ts';

/** Lambda on the wire: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */

/** The members of an SDK's `HttpRequest` that the protocol uses. */
interface LambdaRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An `HttpResponse` for an SDK client. */
interface LambdaResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | Readable;
}

/** Operations whose input and output are JSON, but for the name in the path. */
const mappingPath = /^\/2015-03-31\/event-source-mappings\/([^/]+)$/;
const mappingOperations: Readonly<Record<string, string>> = {
  GET: 'GetEventSourceMapping',
  PUT: 'UpdateEventSourceMapping',
};

const paths: readonly (readonly [operation: string, pattern: RegExp])[] = [
  ['Invoke', /^\/2015-03-31\/functions\/([^/]+)\/invocations$/],
  ['InvokeWithResponseStream', /^\/2021-11-15\/functions\/([^/]+)\/response-streaming-invocations$/],
];

/** Members of the input by the names of their headers. */
const headerMembers: Readonly<Record<string, string>> = {
  'x-amz-invocation-type': 'InvocationType',
  'x-amz-log-type': 'LogType',
  'x-amz-client-context': 'ClientContext',
  'x-amz-tenant-id': 'TenantId',
};
const responseHeaders: Readonly<Record<string, string>> = {
  FunctionError: 'x-amz-function-error',
  ExecutedVersion: 'x-amz-executed-version',
  LogResult: 'x-amz-log-result',
  ResponseStreamContentType: 'content-type',
};

function readRequest({ method, path, headers, body }: LambdaRequest): {
  operation: string;
  input: Record<string, unknown>;
} {
  const [, UUID] = mappingPath.exec(path) ?? [];
  const ofMapping = mappingOperations[method];
  if (UUID !== undefined && ofMapping !== undefined) {
    const members = method === 'PUT' ? (JSON.parse(new TextDecoder().decode(body as Uint8Array)) as object) : {};
    return { operation: ofMapping, input: { ...members, UUID: decodeURIComponent(UUID) } };
  }
  for (const [operation, pattern] of paths) {
    const [, name] = pattern.exec(path) ?? [];
    if (method !== 'POST' || name === undefined) continue;
    const input: Record<string, unknown> = { FunctionName: decodeURIComponent(name) };
    for (const [header, value] of Object.entries(headers)) {
      const member = headerMembers[header.toLowerCase()];
      if (member !== undefined) input[member] = value;
    }
    if (body !== undefined) input['Payload'] = body;
    return { operation, input };
  }
  throw new AwsError('UnknownOperationException', `${method} ${path}`, { statusCode: 404 });
}

function writeOutput(output: Output): LambdaResponse {
  const headers: Record<string, string> = { 'x-amzn-requestid': randomUUID() };
  for (const [member, header] of Object.entries(responseHeaders)) {
    if (typeof output[member] === 'string') headers[header] = output[member];
  }
  if ('UUID' in output) {
    const json = { ...headers, 'content-type': 'application/json' };
    return { statusCode: 200, headers: json, body: Buffer.from(JSON.stringify(output)) };
  }
  const { StatusCode, Payload, EventStream } = output;
  const body = EventStream
    ? Readable.from(framed(EventStream as AsyncIterable<StreamEvent>))
    : ((Payload as Uint8Array | undefined) ?? new Uint8Array());
  return { statusCode: Number(StatusCode), headers, body };
}

/** https://smithy.io/2.0/aws/amazon-eventstream.html */
async function* framed(events: AsyncIterable<StreamEvent>): AsyncIterable<Uint8Array> {
  const codec = new EventStreamCodec(
    (bytes) => Buffer.from(bytes).toString(),
    (text) => Buffer.from(text),
  );
  const message = (type: string, contentType: string, body: Uint8Array) =>
    codec.encode({
      headers: {
        ':message-type': { type: 'string', value: 'event' },
        ':event-type': { type: 'string', value: type },
        ':content-type': { type: 'string', value: contentType },
      },
      body,
    });
  for await (const { PayloadChunk, InvokeComplete } of events) {
    if (PayloadChunk) yield message('PayloadChunk', 'application/octet-stream', PayloadChunk.Payload);
    if (InvokeComplete) {
      yield message('InvokeComplete', 'application/json', Buffer.from(JSON.stringify(InvokeComplete)));
    }
  }
}

/** An error that is no {@link AwsError} is a failure of the embedded service: a 500, as on AWS. */
function writeError(error: unknown): LambdaResponse {
  const known =
    error instanceof AwsError ? error : new AwsError('ServiceException', String(error), { statusCode: 500 });
  return {
    statusCode: known.statusCode,
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': known.name },
    body: Buffer.from(JSON.stringify({ Type: 'User', message: known.message, ...known.members })),
  };
}

/** A `requestHandler` that passes an SDK client's requests to `call` instead of a socket. */
export function lambdaRequestHandler(call: (operation: string, input: Record<string, unknown>) => Promise<Output>): {
  metadata: { handlerProtocol: string };
  handle(request: LambdaRequest): Promise<{ response: LambdaResponse }>;
} {
  return {
    metadata: { handlerProtocol: 'h1' },
    async handle(request) {
      try {
        const { operation, input } = readRequest(request);
        return { response: writeOutput(await call(operation, input)) };
      } catch (error) {
        return { response: writeError(error) };
      }
    },
  };
}
