import { DynamoDBClient, GetItemCommand, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test, vi } from 'vitest';
import { AwsError, type Dispatch } from '../../../../infra/embedded/call.ts';
import { faultyDispatch } from '../../../../infra/embedded/faulty-dispatch.ts';
import type { CallFault } from '../../../../infra/embedded/faults.ts';
import { sdkPlugin } from '../../../../infra/embedded/sdk-plugin.ts';
import { createIngressHandler } from '../../../../shared/http/ingress/ingress-handler.ts';
import { endpointProblemOf, logFault, problemOf, problemResponse } from '../../../../shared/http/problem.ts';

/** The error that the SDK throws for a call with this fault. */
async function errorOf(service: keyof typeof calls, fault: CallFault): Promise<unknown> {
  const faults = { inject: () => false, counts: {} as never, ofCall: () => fault };
  const dispatch = faultyDispatch({ dispatch: () => Promise.resolve({}), faults, caller: 'Api' });
  return calls[service](dispatch).then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error,
  );
}

const region = 'us-east-1';

const calls = {
  DynamoDB: (dispatch: Dispatch) => {
    const client = new DynamoDBClient({ region });
    client.middlewareStack.use(sdkPlugin({ dispatch, role: 'role' }));
    return client.send(new GetItemCommand({ TableName: 't', Key: {} }));
  },
  SQS: (dispatch: Dispatch) => {
    const client = new SQSClient({ region });
    client.middlewareStack.use(sdkPlugin({ dispatch, role: 'role' }));
    return client.send(new SendMessageCommand({ QueueUrl: 'q', MessageBody: 'm' }));
  },
  S3: (dispatch: Dispatch) => {
    const client = new S3Client({ region });
    client.middlewareStack.use(sdkPlugin({ dispatch, role: 'role' }));
    return client.send(new GetObjectCommand({ Bucket: 'b', Key: 'k' }));
  },
  KMS: (dispatch: Dispatch) => {
    const client = new KMSClient({ region });
    client.middlewareStack.use(sdkPlugin({ dispatch, role: 'role' }));
    return client.send(new DecryptCommand({ CiphertextBlob: new Uint8Array() }));
  },
  Lambda: (dispatch: Dispatch) => {
    const client = new LambdaClient({ region });
    client.middlewareStack.use(sdkPlugin({ dispatch, role: 'role' }));
    return client.send(new InvokeCommand({ FunctionName: 'f' }));
  },
  Scheduler: (dispatch: Dispatch) => {
    const client = new SchedulerClient({ region });
    client.middlewareStack.use(sdkPlugin({ dispatch, role: 'role' }));
    return client.send(
      new CreateScheduleCommand({
        Name: 'n',
        ScheduleExpression: 'rate(1 minute)',
        Target: { Arn: 'a', RoleArn: 'r' },
        FlexibleTimeWindow: { Mode: 'OFF' },
      }),
    );
  },
};
const services = Object.keys(calls) as (keyof typeof calls)[];

const responseTo = (problem: ReturnType<typeof problemOf>) => {
  const { statusCode, headers, body } = problemResponse(problem, 'r-1');
  return {
    status: statusCode,
    after: headers?.['retry-after'],
    code: JSON.parse(body ?? '{}').code as string,
  };
};

describe.each(services)('a call of %s', (service) => {
  test('that asks for fewer calls gives 503 at the API, 429 at an endpoint, Retry-After and a warning', async () => {
    const error = await errorOf(service, 'throttled');
    expect(responseTo(problemOf(error))).toEqual({ status: 503, after: '5', code: 'unavailable' });
    const problem = endpointProblemOf(error);
    expect(responseTo(problem)).toEqual({ status: 429, after: '5', code: 'throttled' });
    const log = { error: vi.fn(), warn: vi.fn() };
    logFault(log, 'ingress', 'r-1', problem);
    logFault(log, 'api', 'r-1', problemOf(error));
    expect(log.error).not.toHaveBeenCalled();
    expect(log.warn.mock.calls.map(([message]) => message as string)).toEqual([
      'ingress.unavailable',
      'api.unavailable',
    ]);
  });

  test.each(['failed', 'response-lost'] as const)('that has %s gives 503 everywhere', async (fault) => {
    const error = await errorOf(service, fault);
    for (const problem of [problemOf(error), endpointProblemOf(error)])
      expect(responseTo(problem)).toEqual({ status: 503, after: '5', code: 'unavailable' });
  });
});

test('an endpoint answers a throttle with 429', async () => {
  const error = await errorOf('SQS', 'throttled');
  const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };
  const handle = createIngressHandler({
    endpoint: () => Promise.reject(error as Error),
    workflow: () => expect.fail('This is no workflow.'),
    health: () => expect.fail(),
    bodyWanted: () => expect.fail('The body is here.'),
    ingressUrl: 'https://in.example',
    log: log as never,
  });
  const request = {
    rawPath: '/abc',
    headers: {},
    requestContext: { requestId: 'r-1', http: { method: 'POST' } },
  };
  expect((await handle(request as never)).statusCode).toBe(429);
});

test('a transaction that is cancelled because of too many requests may succeed later; one whose condition fails is a defect', () => {
  const cancelled = (Code: string) =>
    new TransactionCanceledException({
      message: 'cancelled',
      $metadata: { httpStatusCode: 400 },
      CancellationReasons: [{ Code: 'None' }, { Code }],
    });
  for (const code of ['ThrottlingError', 'ProvisionedThroughputExceeded'])
    expect(responseTo(endpointProblemOf(cancelled(code))).status, code).toBe(429);
  expect(responseTo(endpointProblemOf(cancelled('TransactionConflict'))).status).toBe(503);
  expect(responseTo(endpointProblemOf(new AwsError('TransactionConflictException', 'Busy.'))).status).toBe(503);
  expect(responseTo(endpointProblemOf(cancelled('ConditionalCheckFailed'))).status).toBe(500);
});

test('any other error is a defect, without its details', () => {
  for (const error of [new TypeError('secret'), new AwsError('AccessDeniedException', 'secret'), 'secret'])
    expect(JSON.stringify(problemResponse(problemOf(error), 'r-1'))).not.toContain('secret');
  expect(responseTo(problemOf(new Error('x')))).toEqual({ status: 500, after: undefined, code: 'internal' });
});
