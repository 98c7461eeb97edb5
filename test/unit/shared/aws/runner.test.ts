import { InvokeCommand, InvokeWithResponseStreamCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type AwsClientStub, mockClient } from 'aws-sdk-client-mock';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBuilder } from '../../../../shared/aws/builder.ts';
import { createRunner } from '../../../../shared/aws/runner.ts';
import { tenantOf } from '../../../../shared/service/accounts/tenant.ts';
import { UserId } from '../../../../shared/domain/id.ts';
import type { RunnerLine, RunnerRequest } from '../../../../shared/domain/run/run.ts';
import { defaultLimits } from '../../../../shared/domain/run-limits.ts';

let lambda: AwsClientStub<LambdaClient>;
beforeEach(() => {
  lambda = mockClient(LambdaClient);
});
afterEach(() => lambda.restore());
const client = new LambdaClient({ region: 'us-east-1', maxAttempts: 1 });

const options = { functionName: 'runner', tenantOf: tenantOf('source') };

const ownerId = UserId.parse('u_1');
const request: RunnerRequest = {
  ownerId,
  processKey: 'dc_1',
  sourceId: 'dc_1',
  bundle: { hash: 'h', url: 'https://b' },
  props: {},
  db: '{}',
  limits: defaultLimits,
  jobs: [],
};
interface StreamEvent {
  PayloadChunk?: { Payload: Uint8Array };
  InvokeComplete?: { ErrorCode?: string };
}
const chunk = (text: string): StreamEvent => ({ PayloadChunk: { Payload: Buffer.from(text) } });

async function* streamOf(events: StreamEvent[], error?: Error) {
  yield* events;
  if (error) throw error;
}
const responses = (events: StreamEvent[], error?: Error) =>
  lambda.on(InvokeWithResponseStreamCommand).resolves({ EventStream: streamOf(events, error) as never });

async function run(more: Partial<RunnerRequest> = {}): Promise<RunnerLine[]> {
  const lines: RunnerLine[] = [];
  await createRunner(() => client, options).run({ ...request, ...more }, (line) => lines.push(line));
  return lines;
}
const ending = () => createRunner(() => client, options).run(request, () => undefined);
const end = '{"k":"end","job":"1","ms":3}';

describe('the runner', () => {
  test('is invoked for its tenant, and every line is handed over', async () => {
    responses([
      chunk('{"k":"emit","job":"1","json":"{}","meta":{}}\n\n{"k":"en'),
      chunk(`${end.slice(8)}\n`),
      { InvokeComplete: {} },
    ]);
    expect((await run()).map(({ k }) => k)).toEqual(['emit', 'end']);
    const { input } = lambda.commandCalls(InvokeWithResponseStreamCommand)[0]?.args[0] ?? {};
    expect(input?.TenantId).toBe('u_1');
    expect(input).toHaveProperty('PayloadValue', {
      ...request,
      readsUnquotedJson: true,
      checksLongEvents: true,
      readsLateLines: true,
    });
  });

  test('is invoked for a tenant of its own by a source with an account', async () => {
    responses([{ InvokeComplete: {} }]);
    await run({ props: { slack: { $auth: { token: 't' } } } });
    expect(lambda.commandCalls(InvokeWithResponseStreamCommand)[0]?.args[0].input).toMatchObject({
      TenantId: 'u_1/dc_1',
    });
  });

  test.each([
    [
      'ended in an error',
      [chunk('{"k":"emit","job":"1","json":"1","meta":{}}\n{"k":"em'), { InvokeComplete: { ErrorCode: 'Unhandled' } }],
      undefined,
    ],
    ['broke off', [chunk('{"k":"emit","job":"1","json":"1","meta":{}}\n{"k":"em')], new Error('socket hang up')],
  ])('with a response that %s keeps its earlier lines', async (_how, events, error) => {
    responses(events, error);
    expect((await run()).map(({ k }) => k)).toEqual(['emit']);
  });

  test.each<[string, StreamEvent[], Error | undefined, string]>([
    ['ended', [chunk(`${end}\n`), { InvokeComplete: {} }], undefined, 'complete'],
    ['ended in an error', [chunk(`${end}\n`), { InvokeComplete: { ErrorCode: 'Unhandled' } }], undefined, 'lost'],
    ['broke off', [chunk(`${end}\n`)], new Error('socket hang up'), 'lost'],
    ['never came to its end', [chunk(`${end}\n`)], undefined, 'lost'],
  ])('with a response that %s reports it', async (_how, events, error, expected) => {
    responses(events, error);
    expect(await ending()).toBe(expected);
  });

  test('with an unreadable line fails without quoting the line', async () => {
    responses([chunk('{"k":"emit","json":"4242"}\n'), { InvokeComplete: {} }]);
    await expect(run()).rejects.toThrow('The runner wrote an unreadable line of 26 characters');
  });

  test.each(['TooManyRequestsException', 'ServiceException', 'TimeoutError'])(
    'that answers %s gives the work back',
    async (name) => {
      lambda.on(InvokeWithResponseStreamCommand).rejects(Object.assign(new Error(name), { name }));
      await expect(run()).rejects.toMatchObject({ kind: 'unavailable' });
    },
  );

  test('that cannot be called at all is an error of ours', async () => {
    lambda
      .on(InvokeWithResponseStreamCommand)
      .rejects(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
    await expect(run()).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  test('describes a component, or gives the reason why it cannot be loaded', async () => {
    const describe = () =>
      createRunner(() => client, options).describe({ ownerId, bundle: request.bundle, timeoutMs: 5_000 });
    const description = { name: 'x', props: [], hasRun: true, hooks: [], hasAdditionalProps: false };
    responses([chunk(`${JSON.stringify({ k: 'described', job: 'describe', description })}\n`)]);
    expect(await describe()).toEqual({ ok: true, description });
    const error = { code: 'timeout', name: 'Error', message: 'too long', stack: '' };
    const log = { k: 'log', job: 'describe', level: 'console.log', ts: 1, msg: 'loading' };
    const end = { k: 'end', job: 'describe', ms: 1, error };
    responses([chunk(`${JSON.stringify(log)}\n${JSON.stringify(end)}\n`)]);
    expect(await describe()).toEqual({ ok: false, error, logs: [log] });
    responses([{ InvokeComplete: { ErrorCode: 'Unhandled' } }]);
    await expect(describe()).rejects.toMatchObject({ kind: 'unavailable' });
    responses([chunk('{"k":"unready","job":"describe","message":"no process"}\n'), { InvokeComplete: {} }]);
    await expect(describe()).rejects.toMatchObject({
      kind: 'unavailable',
      cause: { message: 'no process' },
    });
  });

  /** No response takes longer than 28 s, of which building may have had 15. */
  describe('is waited for no longer than loading may take', () => {
    const load = async (from: LambdaClient) =>
      createRunner(() => from, { ...options, overheadMs: 20 }).describe({
        ownerId,
        bundle: request.bundle,
        timeoutMs: 80,
      });

    test('when it does not answer', async () => {
      lambda.restore();
      const silent = createServer(() => undefined);
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const { port } = silent.address() as AddressInfo;
      const other = new LambdaClient({
        region: 'us-east-1',
        endpoint: `http://127.0.0.1:${port}`,
        credentials: { accessKeyId: 'a', secretAccessKey: 's' },
      });
      await expect(load(other)).rejects.toMatchObject({
        kind: 'unavailable',
        code: 'still_building',
        retryAfterSeconds: 5,
      });
      silent.closeAllConnections();
      silent.close();
    });

    test('when it begins a response and hangs', async () => {
      async function* hanging() {
        yield chunk('{"k":"log","job":"describe","level":"console.log","ts":1,"msg":"loading"}\n');
        await new Promise(() => undefined);
      }
      lambda.on(InvokeWithResponseStreamCommand).resolves({ EventStream: hanging() as never });
      await expect(load(client)).rejects.toMatchObject({ kind: 'unavailable', code: 'still_building' });
    });
  });
});

describe('the builder', () => {
  const build = (patienceMs?: number) =>
    createBuilder(() => client, 'builder', patienceMs).build({
      ownerId,
      code: '',
      uploads: { attempt: '0'.repeat(32), bundle: 'https://b', manifest: 'https://m' },
    });

  test('answers what it built, or whose fault it was', async () => {
    lambda.on(InvokeCommand).resolves({
      Payload: Buffer.from('{"ok":false,"code":"build_failed","message":"entry.js:1"}') as never,
    });
    expect(await build()).toEqual({ ok: false, code: 'build_failed', message: 'entry.js:1' });
    expect(lambda.commandCalls(InvokeCommand)[0]?.args[0].input).toMatchObject({ TenantId: 'u_1' });
  });

  test('with a bundle name that is no attempt is refused', async () => {
    const manifest = {};
    for (const attempt of ['../other', '0'.repeat(31), 'A'.repeat(32)]) {
      const response = JSON.stringify({ ok: true, manifest, attempt });
      lambda.on(InvokeCommand).resolves({ Payload: Buffer.from(response) as never });
      await expect(build()).rejects.toThrow('attempt');
    }
  });

  test.each([
    ['AbortError', 'still_building'],
    ['TimeoutError', 'still_building'],
    ['TooManyRequestsException', 'unavailable'],
  ])('that ends in %s is %s', async (name, code) => {
    lambda.on(InvokeCommand).rejects(Object.assign(new Error(name), { name }));
    await expect(build()).rejects.toMatchObject({ kind: 'unavailable', code, retryAfterSeconds: 5 });
  });

  test('that failed is an error of ours', async () => {
    lambda.on(InvokeCommand).resolves({ FunctionError: 'Unhandled', Payload: Buffer.from('{}') as never });
    await expect(build()).rejects.toThrow('The builder failed');
  });
});
