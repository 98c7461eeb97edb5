import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHeartbeatCalls } from '../../../../shared/aws/heartbeat-calls.ts';
import { closeServer } from '../../../support/close-server.ts';

const sqs = mockClient(SQSClient);
const client = new SQSClient({ region: 'us-east-1' });
const calls = createHeartbeatCalls({
  sqs: () => client,
  runsQueueUrl: 'https://queue/runs',
  heartbeatQueueUrl: 'https://queue/heartbeat',
});
let status = 200;
const server = createServer((_, response) => {
  response.writeHead(status, { location: '/elsewhere' }).end('{}');
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
beforeEach(() => {
  sqs.reset();
});
afterAll(async () => {
  sqs.restore();
  await closeServer(server);
});

test.each([
  ['0', '0', false],
  ['5', '2', false],
  ['0', '2', false],
  ['5', '0', true],
])('with %s triggers that wait and %s that run, the queue stands still: %s', async (waiting, running, isStalled) => {
  sqs.on(GetQueueAttributesCommand, { QueueUrl: 'https://queue/runs' }).resolves({
    Attributes: { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: running },
  });
  expect(await calls.isStalled()).toBe(isStalled);
});

test.each([204, 302, 404, 503])('a status of %i is no success', async (other) => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`;
  status = 200;
  await calls.probe(address);
  status = other;
  await expect(calls.probe(address)).rejects.toThrow(`${address} answered ${other}`);
});

test('a report that SQS refuses is none', async () => {
  sqs
    .on(SendMessageBatchCommand)
    .resolvesOnce({})
    .resolves({
      Failed: [{ Id: '0', Code: 'a', SenderFault: false, Message: 'busy' }],
    });
  await calls.report();
  expect(sqs.commandCalls(SendMessageBatchCommand)[0]?.args[0].input.QueueUrl).toBe('https://queue/heartbeat');
  await expect(calls.report()).rejects.toThrow('SQS refused the report: busy');
});
