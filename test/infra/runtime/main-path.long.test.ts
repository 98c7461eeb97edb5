import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FunctionName } from '../../../infra/bundle.ts';
import { deleteMessages, receiveBatch } from '../../../infra/embedded/event-source-mapping/queue-calls.ts';
import { fitEvent } from '../../../infra/embedded/event-source-mapping/sqs-event.ts';
import { OPERATOR } from '../../../infra/embedded/iam/authorizer.ts';
import { verifyWebhook } from '../../../shared/client/verify-webhook.ts';
import { awsOverHttp } from '../../support/aws-over-http.ts';
import { testAssembly } from '../../support/cloud.ts';
import {
  type ExecutionEnvironment,
  describeRuntime,
  startEnvironment,
} from '../../support/lambda-runtime/execution-environment.ts';
import { withStreamedFunction } from '../../support/lambda-runtime/served-lambda.ts';
import { Receiver } from '../../support/receiver.ts';
import { Scene } from '../../support/scene.ts';

const CODE = `export default {
  name: 'Main path', version: '0.0.1', props: { http: '$.interface.http', db: '$.service.db' },
  async run({ body }) {
    const runs = (this.db.get('runs') ?? 0) + 1;
    this.db.set('runs', runs);
    this.$emit({ ...body, runs, node: process.versions.node.split('.')[0] });
  },
};`;

let scene: Scene;
let receiver: Receiver;
beforeAll(async () => {
  [scene, receiver] = await Promise.all([Scene.open(), Receiver.start()]);
});
afterAll(async () => {
  await scene.close();
  await receiver.stop();
});

/** A request as API Gateway passes it on. */
const request = (method: string, rawPath: string, headers: Record<string, string> = {}, body?: string) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath,
  rawQueryString: '',
  headers,
  requestContext: { requestId: 'id', http: { method, path: rawPath, sourceIp: '192.0.2.1' } },
  isBase64Encoded: false,
  ...(body === undefined ? {} : { body }),
});

async function responseOf(environment: ExecutionEnvironment, event: unknown) {
  const { kind, body } = await environment.invoke(event);
  expect(kind, body + environment.output).toBe('response');
  const response = JSON.parse(body) as { statusCode: number; body: string };
  return { status: response.statusCode, body: JSON.parse(response.body) as Record<string, unknown> };
}

/**
 * Hands the messages of a queue over to its consumer, as the event-source mapping on AWS does. Returns how many there
 * were.
 */
async function handOver(queueUrl: string, environment: ExecutionEnvironment): Promise<number> {
  const queue = { dispatch: scene.cloud.cloud.call, role: OPERATOR, queueUrl };
  const messages = await receiveBatch(queue, 10, undefined);
  const arn = `arn:aws:sqs:us-east-1:000000000000:${queueUrl.slice(queueUrl.lastIndexOf('/') + 1)}`;
  const { kind, body } = await environment.invoke(fitEvent(messages, arn));
  expect([kind, JSON.parse(body)], environment.output).toEqual(['response', { batchItemFailures: [] }]);
  await deleteMessages(queue, messages);
  return messages.length;
}

describeRuntime("on Node 24, under AWS's runtime client, with AWS_ENDPOINT_URL", () => {
  test('an event goes from its request to a signed delivery: API, endpoint, streamed run, first attempt', async () => {
    const source = await scene.source(CODE);
    const { id, secret } = await scene.webhook(receiver);
    await scene.subscribe(source.id, id);
    // From here on, the embedded functions do nothing.
    await scene.cloud.restart({ isPaused: true });

    const { cloud, key } = scene.cloud;
    const { operatorEnvironment, outputs } = cloud.open;
    const assembly = testAssembly();
    const runner = await startEnvironment('runner', { assembly });
    const endpoint = await awsOverHttp(withStreamedFunction(cloud, runner));
    const env = { ...operatorEnvironment, AWS_ENDPOINT_URL: endpoint, AWS_ENDPOINT_URL_S3: endpoint };
    const start = (name: FunctionName) => startEnvironment(name, { assembly, env });
    const [sources, ingress, runSource, deliverEvent] = await Promise.all([
      start('sources'),
      start('ingress'),
      start('run-source'),
      start('deliver-event'),
    ]);
    const queues = JSON.parse(outputs['Queues'] ?? '{}') as Record<'runs' | 'deliveries', { url: string }>;

    const authorization = `Bearer ${key}`;
    const shown = await responseOf(sources, request('GET', `/v1/sources/${source.id}`, { authorization }));
    expect(shown).toMatchObject({ status: 200, body: { data: { id: source.id, active: true } } });
    const refused = await responseOf(
      sources,
      request('GET', `/v1/sources/${source.id}`, { authorization: `${authorization}x` }),
    );
    expect(refused.status).toBe(401);

    const json = { 'content-type': 'application/json' };
    for (const n of [1, 2]) {
      const sent = request('POST', new URL(source.endpoint).pathname, json, JSON.stringify({ n }));
      expect((await responseOf(ingress, sent)).status).toBe(200);
    }
    expect(await handOver(queues.runs.url, runSource)).toBe(2);
    expect(await handOver(queues.deliveries.url, deliverEvent)).toBeGreaterThan(0);

    const delivered = await Promise.all(
      receiver.received.map(({ headers, body }) => verifyWebhook({ headers, body, secret })),
    );
    const events = [
      { n: 1, runs: 1, node: '24' },
      { n: 2, runs: 2, node: '24' },
    ];
    expect(delivered.map(({ event }) => event)).toEqual(expect.arrayContaining(events));
    expect(delivered).toHaveLength(2);
    const path = `/v1/sources/${source.id}/event_summaries`;
    const { body } = await responseOf(sources, request('GET', path, { authorization }));
    expect(body['data']).toHaveLength(2);
  });
});
