import { expect, test } from 'vitest';
import { type FunctionName, functionEntries } from '../../../infra/bundle.ts';
import { until } from '../../support/until.ts';
import { testAssembly } from '../../support/cloud.ts';
import { describeRuntime, startEnvironment } from '../../support/lambda-runtime/execution-environment.ts';

/** A request without a key, as API Gateway passes it on. */
const request = (rawPath: string) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath,
  rawQueryString: '',
  headers: {},
  requestContext: { requestId: 'id', http: { method: 'GET', path: rawPath } },
  isBase64Encoded: false,
});
const unauthenticated = { statusCode: 401 };
const emptyBatch = [{ Records: [] }, { batchItemFailures: [] }];

/** The first event of each function, and its response. None of these responses needs another service. */
const firstEvents: Record<Exclude<FunctionName, 'builder' | 'runner' | 'oauth' | 'live'>, unknown[]> = {
  components: [request('/v1/components/key'), unauthenticated],
  sources: [request('/v1/sources'), unauthenticated],
  workflows: [request('/v1/workflows/p_1/event_summaries'), unauthenticated],
  subscriptions: [request('/v1/subscriptions'), unauthenticated],
  webhooks: [request('/v1/webhooks'), unauthenticated],
  accounts: [request('/v1/accounts/apn_1'), unauthenticated],
  users: [request('/v1/users/me'), unauthenticated],
  console: [request('/'), { statusCode: 302 }],
  ingress: [request('/'), { statusCode: 404 }],
  'run-source': emptyBatch,
  'deliver-event': emptyBatch,
  'retry-delivery': emptyBatch,
  jobs: emptyBatch,
};

describeRuntime("on Node 24, under AWS's runtime client, as a user without rights", () => {
  test.each(Object.entries(firstEvents))('%s loads and answers', async (name, [event, response]) => {
    const environment = await startEnvironment(name as FunctionName, { assembly: testAssembly() });
    const { kind, body } = await environment.invoke(event);
    expect(kind, environment.output).toBe('response');
    expect(JSON.parse(body)).toMatchObject(response as object);
  });

  test.each(['builder', 'runner', 'oauth'] as const)('%s loads, and names the error of a wrong event', async (name) => {
    const environment = await startEnvironment(name, { assembly: testAssembly() });
    const { kind, body, isStreamed, trailers } = await environment.invoke({}, { tenantId: 'u_test' });
    if (name !== 'runner') {
      expect(kind).toBe('error');
      expect(JSON.parse(body)).toMatchObject({ errorType: 'ZodError' });
    } else {
      expect(isStreamed).toBe(true);
      expect(trailers['lambda-runtime-function-error-type']).toBe('ZodError');
    }
  });

  test('with the log format JSON, a line of the service stays an object of its own fields', async () => {
    const assembly = testAssembly({ logLevel: 'info' });
    const environment = await startEnvironment('ingress', {
      assembly,
      env: { AWS_LAMBDA_LOG_FORMAT: 'JSON' },
    });
    await environment.invoke(request('/'));
    const lines = await until('the line is written', () => {
      const written = environment.output.split('\n').filter((line) => line.includes('ingress.served'));
      return written.length > 0 && written;
    });
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'info', message: 'ingress.served', requestId: 'id', status: 404 }),
    ]);
  });

  test('live loads, and streams its refusal with status and headers before the body', async () => {
    const environment = await startEnvironment('live', { assembly: testAssembly() });
    const { body, isStreamed } = await environment.invoke(request('/v1/sources/dc_1/sse'));
    expect(isStreamed).toBe(true);
    const [head = '', text = ''] = body.split('\0'.repeat(8));
    expect(JSON.parse(head)).toMatchObject(unauthenticated);
    expect(JSON.parse(text)).toMatchObject({ code: 'unauthenticated' });
  });

  test('live loads as a long poll, and answers at once', async () => {
    const environment = await startEnvironment('live', { assembly: testAssembly(), handler: 'poll' });
    const { body, isStreamed } = await environment.invoke(request('/sources/dc_1/sse'));
    expect(isStreamed).toBe(false);
    expect(JSON.parse(body)).toMatchObject(unauthenticated);
  });

  test('every function is among them', () => {
    expect([...Object.keys(firstEvents), 'builder', 'runner', 'oauth', 'live'].sort()).toEqual(
      Object.keys(functionEntries).sort(),
    );
  });
});
