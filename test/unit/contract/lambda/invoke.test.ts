import { InvokeCommand, InvokeWithResponseStreamCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, test } from 'vitest';
import { type InputWithValue, withPayloadValues } from '../../../../shared/aws/payload-value.ts';
import { startSmall } from '../../infra/embedded/cloud/small-stack.ts';
import { paths } from './paths.ts';

const arnOf = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });
const may = (...names: string[]) => ({
  Effect: 'Allow',
  Action: 'lambda:InvokeFunction',
  Resource: names.map(arnOf),
});
const perTenant = { TenancyConfig: { TenantIsolationMode: 'PER_TENANT' } };

const echo = 'exports.handler = async (event) => event';
const functions = {
  Caller: {
    code: echo,
    statements: [may('Echo', 'Sized', 'Fails', 'Slow', 'Tenant', 'Lines', 'Breaks', 'Busy', 'Shows')],
  },
  Echo: { code: echo },
  Sized: { code: 'exports.handler = async ({ size }) => "x".repeat(size - 2)' },
  Fails: { code: 'exports.handler = async () => { throw Object.assign(new TypeError("not so"), {}) }' },
  Slow: { code: 'exports.handler = () => new Promise(() => {})', properties: { Timeout: 1 } },
  Tenant: {
    code: 'let count = 0; exports.handler = async (event, context) => ({ tenant: context.tenantId, count: ++count })',
    properties: perTenant,
  },
  Forbidden: { code: echo },
  Lines: {
    code: `exports.handler = awslambda.streamifyResponse(async (event, stream) => {
      for (const line of event.lines) stream.write(line + '\\n');
      stream.end();
    })`,
  },
  Breaks: {
    code: `exports.handler = awslambda.streamifyResponse(async (event, stream) => {
      stream.write('first');
      throw new Error('then broken');
    })`,
  },
  Shows: {
    code: `exports.handler = awslambda.streamifyResponse(async (event, stream) => {
      stream.write(JSON.stringify(event) + '\\n');
      event.lines = [];
      stream.end('changed');
    })`,
  },
  Busy: { code: echo, properties: { ReservedConcurrentExecutions: 0 } },
};

describe.each(Object.entries(paths))('Lambda %s', (_path, clientOf) => {
  async function started(): Promise<LambdaClient> {
    const cloud = await startSmall({ functions });
    return clientOf(cloud, 'arn:aws:iam::000000000000:role/CallerRole');
  }
  const invoke = async (client: LambdaClient, FunctionName: string, event: unknown, more = {}) => {
    const response = await client.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event), ...more }));
    const text = response.Payload?.transformToString() ?? '';
    return { ...response, value: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };

  test('a synchronous invocation answers with the result of the function', async () => {
    const client = await started();
    const response = await invoke(client, 'Echo', { text: 'ä', list: [1, null, true] });
    expect(response.value).toEqual({ text: 'ä', list: [1, null, true] });
    expect(response.StatusCode).toBe(200);
    expect(response.ExecutedVersion).toBe('$LATEST');
    expect(response.FunctionError).toBeUndefined();
  });

  test('a thrown error is the response, marked as unhandled', async () => {
    const client = await started();
    const response = await invoke(client, 'Fails', {});
    expect(response.FunctionError).toBe('Unhandled');
    expect(response.value).toMatchObject({
      errorType: 'TypeError',
      errorMessage: 'not so',
      trace: expect.any(Array) as unknown,
    });
  });

  test('a function that exceeds its time limit fails with the limit in the message', async () => {
    const client = await started();
    const response = await invoke(client, 'Slow', {});
    expect(response.FunctionError).toBe('Unhandled');
    expect(response.value).toMatchObject({
      errorMessage: expect.stringMatching(/Task timed out after 1\.00 seconds$/) as unknown,
    });
  });

  test('a request may have 6,291,456 bytes, and not one more', async () => {
    const client = await started();
    const payload = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
    const taken = await client.send(new InvokeCommand({ FunctionName: 'Echo', Payload: payload(6_291_456) }));
    expect(taken.Payload?.length).toBe(6_291_456);
    await expect(
      client.send(new InvokeCommand({ FunctionName: 'Echo', Payload: payload(6_291_457) })),
    ).rejects.toMatchObject({
      name: 'RequestTooLargeException',
      $metadata: { httpStatusCode: 413 },
    });
  });

  test('a response may have 6,291,556 bytes, and not one more', async () => {
    const client = await started();
    expect((await invoke(client, 'Sized', { size: 6_291_556 })).FunctionError).toBeUndefined();
    const response = await invoke(client, 'Sized', { size: 6_291_557 });
    expect(response.value).toMatchObject({ errorType: 'Function.ResponseSizeTooLarge' });
  });

  test.each(['Event', 'DryRun'])(
    'the invocation type %s, which nothing here uses, is refused',
    async (InvocationType) => {
      const client = await started();
      await expect(invoke(client, 'Echo', {}, { InvocationType })).rejects.toMatchObject({
        name: 'ValidationException',
        message: `The invocation type ${InvocationType} is not supported here.`,
      });
    },
  );

  test('a payload that is not JSON is refused', async () => {
    const client = await started();
    await expect(client.send(new InvokeCommand({ FunctionName: 'Echo', Payload: '{' }))).rejects.toMatchObject({
      name: 'InvalidRequestContentException',
    });
  });

  test('an undeclared function is not found', async () => {
    const cloud = await startSmall({
      functions: {
        Caller: { code: echo, statements: [{ Effect: 'Allow', Action: 'lambda:*', Resource: '*' }] },
      },
    });
    const client = clientOf(cloud, 'arn:aws:iam::000000000000:role/CallerRole');
    await expect(invoke(client, 'Nothing', {})).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Function not found: arn:aws:lambda:us-east-1:000000000000:function:Nothing',
      $metadata: { httpStatusCode: 404 },
    });
  });

  test('a role without permission gets the message of AWS', async () => {
    const client = await started();
    await expect(invoke(client, 'Forbidden', {})).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message:
        'User: arn:aws:sts::000000000000:assumed-role/CallerRole/Caller is not authorized to perform: lambda:InvokeFunction on resource: arn:aws:lambda:us-east-1:000000000000:function:Forbidden because no identity-based policy allows the lambda:InvokeFunction action',
      $fault: 'client',
      $metadata: { httpStatusCode: 403 },
    });
  });

  test('each tenant has its own instances, and only functions with tenants take a tenant', async () => {
    const client = await started();
    expect((await invoke(client, 'Tenant', {}, { TenantId: 'blue' })).value).toEqual({
      tenant: 'blue',
      count: 1,
    });
    expect((await invoke(client, 'Tenant', {}, { TenantId: 'blue' })).value).toEqual({
      tenant: 'blue',
      count: 2,
    });
    expect((await invoke(client, 'Tenant', {}, { TenantId: 'red' })).value).toEqual({
      tenant: 'red',
      count: 1,
    });
    await expect(invoke(client, 'Tenant', {})).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
    });
    await expect(invoke(client, 'Echo', {}, { TenantId: 'blue' })).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
    });
  });

  test('a function over its reserved concurrency is throttled', async () => {
    const client = await started();
    await expect(invoke(client, 'Busy', {})).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
      $metadata: { httpStatusCode: 429 },
    });
  });

  async function streamed(client: LambdaClient, FunctionName: string, event: unknown) {
    const response = await client.send(
      new InvokeWithResponseStreamCommand({ FunctionName, Payload: JSON.stringify(event) }),
    );
    let text = '';
    let complete: unknown;
    for await (const { PayloadChunk, InvokeComplete } of response.EventStream ?? []) {
      if (PayloadChunk?.Payload) text += Buffer.from(PayloadChunk.Payload).toString();
      if (InvokeComplete) complete = InvokeComplete;
    }
    return { text, complete };
  }

  test('a payload value arrives as the event that its JSON would be', async () => {
    const client = withPayloadValues(await started());
    const Value = {
      lines: ['ä', new Date(0)],
      left: undefined,
      ['__proto__']: 1,
      list: [undefined, NaN, -0],
    };
    const send = (PayloadValue: unknown) => {
      const input: InputWithValue = { FunctionName: 'Shows', PayloadValue };
      return client.send(new InvokeWithResponseStreamCommand(input));
    };
    const { EventStream = [] } = await send(Value);
    let text = '';
    for await (const { PayloadChunk } of EventStream) text += Buffer.from(PayloadChunk?.Payload ?? []).toString();
    expect(text).toBe(`${JSON.stringify(Value)}\nchanged`);
    expect(Value.lines).toEqual(['ä', new Date(0)]);
    // A text of quotes is twice as long in JSON.
    await expect(send('"'.repeat(3_145_728))).rejects.toMatchObject({ name: 'RequestTooLargeException' });
    expect((await send('"'.repeat(3_145_727))).StatusCode).toBe(200);
  });

  test('the output of a streaming function arrives in pieces, followed by its completion', async () => {
    const client = await started();
    const { text, complete } = await streamed(client, 'Lines', { lines: ['a', 'b', 'ä'] });
    expect(text).toBe('a\nb\nä\n');
    expect(complete).toEqual({});
  });

  test('the output of a streaming function before its error is kept, and the completion has the error', async () => {
    const client = await started();
    const { text, complete } = await streamed(client, 'Breaks', {});
    expect(text).toBe('first');
    expect(complete).toMatchObject({
      ErrorCode: 'Error',
      ErrorDetails: expect.stringContaining('then broken') as unknown,
    });
  });

  test('the streaming operation also returns the result of a plain function', async () => {
    const client = await started();
    expect((await streamed(client, 'Echo', { a: 1 })).text).toBe('{"a":1}');
  });
});
