import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { AwsError, type Output } from '../call.ts';
import type { StreamEvent } from './piece-stream.ts';

/** REST-JSON as Lambda speaks it: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */

/** The members of an SDK's `HttpRequest` that matter here. */
export interface LambdaRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What an SDK client accepts as an `HttpResponse`. */
export interface LambdaResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | Readable;
}

export interface LambdaCall {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

const paths: readonly (readonly [operation: string, pattern: RegExp])[] = [
  ['Invoke', /^\/2015-03-31\/functions\/([^/]+)\/invocations$/],
  ['InvokeWithResponseStream', /^\/2021-11-15\/functions\/([^/]+)\/response-streaming-invocations$/],
];

/** Members that travel as headers, by their names there. */
const headerMembers: Readonly<Record<string, string>> = {
  'x-amz-invocation-type': 'InvocationType',
  'x-amz-log-type': 'LogType',
  'x-amz-client-context': 'ClientContext',
  'x-amz-tenant-id': 'TenantId',
};
const answerHeaders: Readonly<Record<string, string>> = {
  FunctionError: 'x-amz-function-error',
  ExecutedVersion: 'x-amz-executed-version',
  LogResult: 'x-amz-log-result',
  ResponseStreamContentType: 'content-type',
};

export function readRequest({ method, path, headers, body }: LambdaRequest): LambdaCall {
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

export function writeOutput(output: Output): LambdaResponse {
  const headers: Record<string, string> = { 'x-amzn-requestid': randomUUID() };
  for (const [member, header] of Object.entries(answerHeaders)) {
    if (typeof output[member] === 'string') headers[header] = output[member];
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

/** Anything that is no {@link AwsError} is ours, and answered as AWS answers its own failures. */
export function writeError(error: unknown): LambdaResponse {
  const known =
    error instanceof AwsError ? error : new AwsError('ServiceException', String(error), { statusCode: 500 });
  return {
    statusCode: known.statusCode,
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': known.name },
    body: Buffer.from(JSON.stringify({ Type: 'User', message: known.message, ...known.members })),
  };
}

/** A `requestHandler` for an SDK client whose requests end in `call` instead of a socket. */
export function lambdaRequestHandler(
  call: (operation: string, input: Record<string, unknown>) => Promise<Output>,
): {
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
