import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { onTestFinished } from 'vitest';
import type { Call, Dispatch, Output } from '../../infra/embedded/call.ts';
import { dynamoDbCodec } from '../../infra/embedded/dynamodb/json-codec.ts';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { kmsCodec } from '../../infra/embedded/kms/wire.ts';
import { lambdaRequestHandler } from '../../infra/embedded/lambda/wire.ts';
import { schedulerRequestHandler } from '../../infra/embedded/scheduler/wire.ts';
import { sqsCodec } from '../../infra/embedded/sqs/wire.ts';
import { jsonRequestHandler } from '../../infra/embedded/wire/aws-json.ts';

interface Request {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: Uint8Array;
}

interface Answer {
  response: { statusCode: number; headers: Record<string, string>; body: Uint8Array | Readable };
}

type Send = (operation: string, input: Record<string, unknown>) => Promise<Output>;

/** By the service's name in a signature. */
const services: Record<
  string,
  [id: Call['service'], handlerOf: (send: Send) => { handle(request: Request): Promise<Answer> }]
> = {
  dynamodb: ['DynamoDB', (send) => jsonRequestHandler(send, dynamoDbCodec)],
  sqs: ['SQS', (send) => jsonRequestHandler(send, sqsCodec)],
  kms: ['KMS', (send) => jsonRequestHandler(send, kmsCodec)],
  lambda: ['Lambda', lambdaRequestHandler],
  scheduler: ['Scheduler', schedulerRequestHandler],
};

const SIGNATURE =
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[^/]+\/([^/]+)\/aws4_request, SignedHeaders=[^,]+, Signature=[0-9a-f]{64}$/;

/** The embedded services but S3, which has a socket of its own, behind one address, as an SDK client on another machine would see them. */
export async function awsOverHttp(dispatch: Dispatch): Promise<string> {
  const server = createServer((request, response) => {
    answer(dispatch, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(dispatch: Dispatch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization = '', ...headers } = request.headers;
  const [, name = ''] = SIGNATURE.exec(authorization) ?? [];
  const [service, handlerOf] = services[name] ?? [];
  if (!service || !handlerOf) throw new Error(`Not signed for a known service: ${authorization}`);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://here');
  const handler = handlerOf((operation, input) => dispatch({ role: OPERATOR, service, operation, input }));
  const made = await handler.handle({
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)])),
    body: await buffer(request),
  });
  response.writeHead(made.response.statusCode, made.response.headers);
  const { body } = made.response;
  await pipeline(body instanceof Readable ? body : Readable.from([body]), response);
}
