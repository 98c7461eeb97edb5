import { describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../../../infra/embedded/disk/data-directory.ts';
import { Gateway } from '../../../../infra/embedded/http-api/gateway.ts';
import { gatewayOptions } from '../../../../infra/embedded/http-api/gateway-options.ts';
import { OPERATOR } from '../../../../infra/embedded/iam/authorizer.ts';
import { VERSION } from '../../../../shared/domain/version.ts';
import { type SmallStack, startSmall, temporaryDirectory } from './cloud/small-stack.ts';

const arn = { 'Fn::GetAtt': ['Work', 'Arn'] };
const mapped: SmallStack = {
  functions: {
    Mine: {
      code: 'exports.handler = async () => undefined',
      statements: [
        {
          Effect: 'Allow',
          Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
          Resource: arn,
        },
      ],
    },
  },
  routes: { $default: 'Mine' },
  resources: {
    Work: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { EventSourceArn: arn, FunctionName: { Ref: 'Mine' } },
    },
  },
};

const healthAt = async (url: string, path = '/healthz') => {
  const response = await fetch(url + path);
  return { status: response.status, body: await response.json() };
};
const OK = { status: 200, body: { status: 'ok', version: VERSION } };

describe('GET /healthz', () => {
  test('is 200 at both origins when the store can be written and the queues are consumed', async () => {
    const { url, ingressUrl } = await startSmall(mapped);
    expect([await healthAt(url), await healthAt(ingressUrl), await healthAt(url, '/healthz/')]).toEqual([OK, OK, OK]);
  });

  test('is 503 with the reason when the store cannot be written', async () => {
    const dataDir = temporaryDirectory();
    const disk = await openDataDirectory(dataDir);
    const { url } = await startSmall(mapped, { dataDir, disk });
    const commit = disk.commit.bind(disk);
    onTestFinished(() => void (disk.commit = commit));
    disk.commit = () => {
      const cause = Object.assign(new Error('no space left at /a/path'), { code: 'ENOSPC' });
      return Promise.reject(new Error('The data directory cannot be written.', { cause }));
    };
    expect(await healthAt(url)).toEqual({
      status: 503,
      body: {
        status: 'unavailable',
        reason: 'The data directory cannot be written (ENOSPC).',
        version: VERSION,
      },
    });
    disk.commit = commit;
    expect(await healthAt(url)).toEqual(OK);
  });

  test('is 503 and names the queue when a queue is not consumed, until it is consumed again', async () => {
    const { url, services, call } = await startSmall(mapped);
    const sqs = services.sqs.call.bind(services.sqs);
    services.sqs.call = (operation, ...rest) =>
      operation === 'ReceiveMessage' ? Promise.reject(new Error('refused')) : sqs(operation, ...rest);
    const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/Work';
    const input = { QueueUrl, MessageBody: 'a' };
    await call({ role: OPERATOR, service: 'SQS', operation: 'SendMessage', input });
    const reason = 'These queues are not consumed: Work.';
    await expect
      .poll(() => healthAt(url))
      .toEqual({ status: 503, body: { status: 'unavailable', reason, version: VERSION } });
    services.sqs.call = sqs;
    await expect.poll(() => healthAt(url)).toEqual(OK);
  });

  test('is 503 during the start', async () => {
    const gateway = new Gateway('api', gatewayOptions());
    onTestFinished(() => gateway.stop(0));
    const port = await gateway.listen('127.0.0.1', 0);
    expect(await healthAt(`http://127.0.0.1:${port}`)).toEqual({
      status: 503,
      body: { status: 'unavailable', reason: 'The service is starting.', version: VERSION },
    });
  });
});
