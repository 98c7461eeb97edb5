import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Cloud } from '../../../../../infra/embedded/cloud.ts';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { OPERATOR } from '../../../../../infra/embedded/iam/authorizer.ts';
import type { LogLine } from '../../../../../infra/embedded/lambda/private-process.ts';
import { randomFaults } from '../../../../../infra/embedded/faults.ts';
import { type SmallFunction, smallAssembly, startSmall, temporaryDirectory } from '../cloud/small-stack.ts';
import { startCloud } from '../../../../../infra/embedded/cloud.ts';

async function invoke(cloud: Cloud, event: unknown, more: object = {}): Promise<unknown> {
  const input = { FunctionName: 'Mine', Payload: JSON.stringify(event), ...more };
  const { Payload } = await cloud.call({ role: OPERATOR, service: 'Lambda', operation: 'Invoke', input });
  return JSON.parse(Buffer.from(Payload as Uint8Array).toString());
}

const withMine = (code: string, more: Partial<SmallFunction> = {}) => ({
  functions: { Mine: { code, ...more } },
});

describe('the environment of a function', () => {
  test('has the variables of the template and of Lambda, and only the certificates, proxies and own ports of the machine', async () => {
    process.env['SECRET_OF_THE_MACHINE'] = 'x';
    const properties = {
      MemorySize: 512,
      Environment: { Variables: { TABLE_NAME: { 'Fn::Sub': 'in-${AWS::Region}' } } },
    };
    const cloud = await startSmall(withMine('exports.handler = async () => process.env', { properties }));
    const environment = (await invoke(cloud, {})) as Record<string, string>;
    delete process.env['SECRET_OF_THE_MACHINE'];
    expect(environment).toMatchObject({
      TABLE_NAME: 'in-us-east-1',
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: 'Mine',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_ENDPOINT_URL_S3: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as unknown,
    });
    expect(
      Object.keys(environment).filter(
        (name) =>
          !/^(AWS_|LAMBDA_|_HANDLER$|LANG$|PATH$|TZ$|NODE_EXTRA_CA_CERTS$|OWN_PORTS$|OPEN_PORTS$|SSL_CERT_|HTTPS?_PROXY$|NO_PROXY$)/.test(
            name,
          ),
      ),
    ).toEqual(['TABLE_NAME']);
  });

  test('is separate for each function', async () => {
    const code = `exports.handler = async ({ set }) => { if (set) process.env.LEFT = 'here'; return [process.env.LEFT ?? null, require('node:process').env.LEFT ?? null]; }`;
    const cloud = await startSmall({ functions: { Mine: { code }, Other: { code } } });
    expect(await invoke(cloud, { set: true })).toEqual(['here', 'here']);
    expect(await invoke(cloud, {}, { FunctionName: 'Other' })).toEqual([null, null]);
    expect(process.env['LEFT']).toBeUndefined();
  });

  test('has the read budget of its thread, which all functions share', async () => {
    const code = `exports.handler = async ({ set }) => {
      const budget = process[Symbol.for('tributary.read.budget')];
      if (set) budget.mark = 'here';
      return budget.mark ?? null;
    }`;
    const cloud = await startSmall({ functions: { Mine: { code }, Other: { code } } });
    expect(await invoke(cloud, { set: true })).toBe('here');
    expect(await invoke(cloud, {}, { FunctionName: 'Other' })).toBe('here');
    const other = await startSmall(withMine(code));
    expect(await invoke(other, {})).toBeNull();
  });

  test('has credentials of its own role', async () => {
    const code = 'exports.handler = async () => process.env.AWS_ACCESS_KEY_ID + process.env.AWS_SECRET_ACCESS_KEY';
    const cloud = await startSmall({ functions: { Mine: { code }, Other: { code } } });
    expect(await invoke(cloud, {})).not.toBe(await invoke(cloud, {}, { FunctionName: 'Other' }));
  });
});

describe('the code of a function', () => {
  test('is the code of the asset in the template, by its hash', async () => {
    const assembly = smallAssembly(withMine('exports.handler = async () => 1'));
    const cloud = await startCloud({ assembly, dataDir: temporaryDirectory() });
    await invoke(cloud, {});
    for (const { spec, codeSha256 } of cloud.functions.values()) {
      const properties = assembly.template.Resources[spec.logicalId]?.Properties ?? {};
      const { S3Key } = properties['Code'] as { S3Key: string };
      const text = readFileSync(join(assembly.assets.get(S3Key) ?? '', 'index.js'));
      expect(codeSha256).toBe(createHash('sha256').update(text).digest('hex'));
    }
    await cloud.stop();
  });

  test('is loaded once and serves many invocations, also concurrent ones', async () => {
    const code = `let loads = 0, calls = 0; loads++; exports.handler = async () => { calls++; await new Promise(setImmediate); return { loads, calls } }`;
    const cloud = await startSmall(withMine(code));
    const responses = await Promise.all([1, 2, 3].map(() => invoke(cloud, {})));
    expect(responses).toContainEqual({ loads: 1, calls: 3 });
  });

  test('that throws while it loads fails the invocation, and is loaded again by the next one', async () => {
    const code = `globalThis.tries = (globalThis.tries ?? 0) + 1; if (globalThis.tries === 1) throw new RangeError('not yet'); exports.handler = async () => 'now'`;
    const cloud = await startSmall(withMine(code));
    expect(await invoke(cloud, {})).toMatchObject({ errorType: 'RangeError', errorMessage: 'not yet' });
    expect(await invoke(cloud, {})).toBe('now');
  });

  test('and a file beside it that it loads later have the same globals, and the file runs once for each instance', async () => {
    const code = `exports.handler = async () => { process.env.LEFT = 'here'; return [require('./later.js').left(), ++require('./later.js').calls]; }`;
    const assembly = smallAssembly(withMine(code));
    for (const folder of assembly.assets.values())
      writeFileSync(join(folder, 'later.js'), 'exports.left = () => process.env.LEFT; exports.calls = 0;');
    const cloud = await startCloud({ assembly, dataDir: temporaryDirectory() });
    expect([await invoke(cloud, {}), await invoke(cloud, {})]).toEqual([
      ['here', 1],
      ['here', 2],
    ]);
    await cloud.stop();
  });

  test('without the handler of the template fails with a message', async () => {
    const cloud = await startSmall(withMine('exports.handle = 1'));
    expect(await invoke(cloud, {})).toMatchObject({
      errorType: 'Runtime.HandlerNotFound',
      errorMessage: 'index.handler is undefined or not exported',
    });
  });

  test('may answer through a callback', async () => {
    const cloud = await startSmall(
      withMine('exports.handler = (event, context, callback) => { setImmediate(callback, null, event.n + 1) }'),
    );
    expect(await invoke(cloud, { n: 1 })).toBe(2);
  });

  test('that ends its process fails the invocation, and the next one gets a new instance', async () => {
    const code =
      'let calls = 0; exports.handler = async ({ exit }) => { calls++; if (exit) process.exit(3); return calls }';
    const cloud = await startSmall(withMine(code));
    expect(await invoke(cloud, {})).toBe(1);
    expect(await invoke(cloud, { exit: true })).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringContaining('exit status 3') as unknown,
    });
    expect(await invoke(cloud, {})).toBe(1);
  });

  test('gets no further invocation in an instance that exceeded its time limit', async () => {
    const code =
      'let calls = 0; exports.handler = ({ hang }) => (calls++, hang ? new Promise(() => {}) : Promise.resolve(calls))';
    const cloud = await startSmall(withMine(code, { properties: { Timeout: 1 } }));
    await invoke(cloud, {});
    expect(await invoke(cloud, { hang: true })).toMatchObject({ errorType: 'Sandbox.Timedout' });
    expect(await invoke(cloud, {})).toBe(1);
  });

  test('has the clock of the cloud in every Date, and its remaining time', async () => {
    const code =
      'exports.handler = async (event, context) => [Date.now(), new Date().getTime(), new Date(5).getTime(), context.getRemainingTimeInMillis() <= 60_000]';
    const clock = new FakeClock(Date.UTC(2030, 0, 1));
    const cloud = await startSmall(withMine(code), { clock });
    expect(await invoke(cloud, {})).toEqual([clock.now(), clock.now(), 5, true]);
    clock.advance(60_000);
    expect(await invoke(cloud, {})).toMatchObject([clock.now(), clock.now(), 5, true]);
  });

  test('alternates between two instances with fault injection', async () => {
    const faults = randomFaults(1, { 'other-instance': 1 });
    const cloud = await startSmall(withMine('let calls = 0; exports.handler = async () => ++calls'), {
      faults,
    });
    const responses: unknown[] = [];
    for (let n = 0; n < 4; n += 1) responses.push(await invoke(cloud, {}));
    expect(responses).toEqual([1, 1, 2, 2]);
    expect(faults.counts['other-instance']).toBe(4);
  });
});

test('the output of a function is logged line by line, if its role may write logs', async () => {
  const lines: LogLine[] = [];
  const code = `exports.handler = async () => { console.log('plain %s', 1); console.warn({ a: 1 }); process.stdout.write('raw\\n'); throw new Error('seen') }`;
  const stack = withMine(code);
  const cloud = await startSmall(stack, { logs: (line) => lines.push(line) });
  await invoke(cloud, {});
  expect(lines.map(({ level, text }) => [level, text.split('\n')[0]])).toEqual([
    ['info', 'plain 1'],
    ['warn', '{ a: 1 }'],
    ['info', 'raw'],
    ['error', 'Error: seen'],
  ]);

  const silent = smallAssembly(stack);
  const role = silent.template.Resources['MineRole']?.Properties as { Policies: unknown[] };
  role.Policies = [];
  const without = await startCloud({
    assembly: silent,
    dataDir: temporaryDirectory(),
    logs: () => expect.fail('a line without permission'),
  });
  await invoke(without, {});
  await without.stop();
});
