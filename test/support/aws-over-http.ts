import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { onTestFinished } from 'vitest';
import type { Call, Output } from '../../infra/embedded/call.ts';
import type { Cloud } from '../../infra/embedded/cloud.ts';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { respondToPresigned, presignedRequest } from '../../infra/embedded/s3/presigned-socket.ts';
import { jsonRequestHandler } from './aws-wire/aws-json.ts';
import { dynamoDbCodec } from './aws-wire/dynamodb-codec.ts';
import { headerSignerRoleOf } from './aws-wire/header-signature.ts';
import { kmsCodec } from './aws-wire/kms-codec.ts';
import { lambdaRequestHandler } from './aws-wire/lambda-handler.ts';
import { respondToS3 } from './aws-wire/s3-handler.ts';
import { schedulerRequestHandler } from './aws-wire/scheduler-handler.ts';
import { sqsCodec } from './aws-wire/sqs-codec.ts';

interface Request {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: Uint8Array;
}

interface HttpResponse {
  statusCode: number;
  headers: Record<string, string>;
  body?: Uint8Array | Readable | string;
}

type Send = (operation: string, input: Record<string, unknown>) => Promise<Output>;

/** By the service's name in a signature. */
const services: Record<
  string,
  [id: Call['service'], handlerOf: (send: Send) => { handle(request: Request): Promise<{ response: HttpResponse }> }]
> = {
  dynamodb: ['DynamoDB', (send) => jsonRequestHandler(send, dynamoDbCodec)],
  sqs: ['SQS', (send) => jsonRequestHandler(send, sqsCodec)],
  events: ['EventBridge', (send) => jsonRequestHandler(send)],
  kms: ['KMS', (send) => jsonRequestHandler(send, kmsCodec)],
  lambda: ['Lambda', lambdaRequestHandler],
  scheduler: ['Scheduler', schedulerRequestHandler],
};

const SIGNATURE =
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[^/]+\/([^/]+)\/aws4_request, SignedHeaders=[^,]+, Signature=[0-9a-f]{64}$/;

/** The embedded services behind one address, as an SDK client on another machine would see them. */
export async function awsOverHttp(cloud: Cloud): Promise<string> {
  const server = createServer((request, response) => {
    respond(cloud, request)
      .then(({ statusCode, headers, body = '' }) => {
        response.writeHead(statusCode, headers);
        return pipeline(body instanceof Readable ? body : Readable.from([body]), response);
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function respond(cloud: Cloud, request: IncomingMessage): Promise<HttpResponse> {
  const { authorization, ...headers } = request.headers;
  const [, name = ''] = SIGNATURE.exec(authorization ?? '') ?? [];
  if (authorization === undefined || name === 's3') return responseOfS3(cloud, request);
  const [service, handlerOf] = services[name] ?? [];
  if (!service || !handlerOf) throw new Error(`The request is not signed for a known service: ${authorization}`);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://here');
  const handler = handlerOf((operation, input) => cloud.call({ role: OPERATOR, service, operation, input }));
  const { response } = await handler.handle({
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)])),
    body: await buffer(request),
  });
  return response;
}

/** Checks the signature of the operator, in the header or in the address. */
async function responseOfS3(cloud: Cloud, incoming: IncomingMessage): Promise<HttpResponse> {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = cloud.open.operatorEnvironment;
  const options = {
    region: 'us-east-1',
    clock: cloud.services.clock,
    dispatch: cloud.call,
    credentials: (accessKeyId: string) => (accessKeyId === id ? { role: OPERATOR, secretAccessKey } : undefined),
  };
  const request = presignedRequest(incoming);
  if (request.headers['authorization'] === undefined) return respondToPresigned(request, options);
  const role = headerSignerRoleOf(request, options);
  return respondToS3(request, (operation, input) => cloud.call({ role, service: 'S3', operation, input }));
}
