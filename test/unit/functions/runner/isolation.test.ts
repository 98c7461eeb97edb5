import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Runner, source } from './harness.ts';
import { closeServer } from '../../../support/close-server.ts';

/** The attempts in the table of docs/isolation.md. */

let runner: Runner;
let runtimeApi: Server;
let requestCount = 0;
let port = 0;
const directory = mkdtempSync(join(tmpdir(), 'isolation-'));
const secret = join(directory, 'secret.txt');

beforeAll(async () => {
  writeFileSync(secret, 'canary');
  runtimeApi = createHttpServer((_, response) => {
    requestCount += 1;
    response.end('an invocation');
  });
  await new Promise<void>((resolve) => runtimeApi.listen(0, '127.0.0.1', resolve));
  port = (runtimeApi.address() as AddressInfo).port;
  runner = await Runner.start({
    env: { ...process.env, AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`, AWS_SECRET_ACCESS_KEY: 'canary-key' },
  });
});
afterAll(async () => {
  await runner.close();
  await closeServer(runtimeApi);
  rmSync(directory, { recursive: true, force: true });
});

/** The value of an expression, or the code of its error. */
async function attempt(expression: string): Promise<unknown> {
  const code = source(
    `async run() { let got; try { got = await (${expression}); } catch (error) { got = error.cause?.code ?? error.code ?? error.message; } this.$emit({ got: got ?? null }); }`,
    `import fs from 'node:fs'; import net from 'node:net'; import http from 'node:http'; import os from 'node:os';
     import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
  );
  const [event] = (await runner.run(code)).events;
  return (event as { got: unknown }).got;
}

describe('a component cannot', () => {
  test.each([
    ['read /proc', `fs.readFileSync('/proc/self/environ', 'utf8')`],
    ['read the memory of the service', `fs.readFileSync('/proc/' + process.ppid + '/environ', 'utf8')`],
    ['list the root', `fs.readdirSync('/')`],
    ['read a file of the machine', `fs.promises.readFile('/etc/passwd', 'utf8')`],
    ['list what other children have', `fs.readdirSync(process.cwd() + '/../..')`],
    ['write to its own code', `fs.writeFileSync(process.cwd() + '/../code/bundle.mjs', '')`],
    ['make links out of its directory', `fs.symlinkSync('/etc/passwd', '/tmp/link')`],
    ['start programs', `require('child_process').execSync('id').toString()`],
    ['start workers', `new (require('worker_threads').Worker)('1', { eval: true }) && 'started'`],
    ['fork', `require('cluster').fork() && 'forked'`],
    ['open an inspector', `require('inspector').open(0)`],
    ['use bindings of Node', `process.binding('fs') && 'bound'`],
    ['write a heap snapshot', `require('v8').writeHeapSnapshot('/var/tmp/x.heapsnapshot')`],
  ])('%s', async (_, expression) => {
    expect(await attempt(expression)).toBe('ERR_ACCESS_DENIED');
  });

  test('read a file through a path that leads out of /tmp', async () => {
    const path = JSON.stringify(`/tmp/../../../../../..${secret}`);

    expect(await attempt(`fs.readFileSync(${path}, 'utf8')`)).toBe('ERR_ACCESS_DENIED');
  });

  test('load a native add-on', async () => {
    const loading = `fs.writeFileSync('/tmp/x.node', '') ?? process.dlopen({ exports: {} }, process.cwd() + '/x.node')`;

    expect(await attempt(loading)).toBe('ERR_DLOPEN_DISABLED');
  });

  test.each(['SIGKILL', 'SIGTERM', 'SIGUSR1', 0])('send %s to the service', async (signal) => {
    expect(await attempt(`process.kill(process.ppid, ${JSON.stringify(signal)})`)).toBe('EPERM');
    expect(await attempt(`process._debugProcess(process.ppid)`)).toBe('process._debugProcess is not a function');
  });

  test('change the priority of the service', async () => {
    expect(await attempt(`os.setPriority(process.ppid, 19)`)).toBe('ERR_ACCESS_DENIED');
  });

  test('see the environment of the service', async () => {
    expect(JSON.stringify(await attempt(`({ ...process.env })`))).not.toContain('canary');
    expect(JSON.stringify(await attempt(`process.report.getReport()`))).not.toContain('canary-key');
  });

  test.each([
    [
      'by its address',
      (p: number) => `fetch('http://127.0.0.1:${p}/2018-06-01/runtime/invocation/next').then((r) => r.text())`,
    ],
    ['by a name', (p: number) => `fetch('http://localhost:${p}/').then((r) => r.text())`],
    ['by another spelling', (p: number) => `fetch('http://0x7f.1:${p}/').then((r) => r.text())`],
    [
      'through http',
      (p: number) =>
        `new Promise((resolve, reject) => http.get({ host: 'localhost', port: ${p}, family: 4 }, () => resolve('reached')).on('error', reject))`,
    ],
    [
      'through a bare socket',
      (p: number) =>
        `new Promise((resolve, reject) => net.connect(${p}, '127.0.0.1', () => resolve('reached')).on('error', reject))`,
    ],
    [
      'through IPv6',
      (p: number) =>
        `new Promise((resolve, reject) => net.connect({ port: ${p}, host: '::ffff:127.0.0.1' }, () => resolve('reached')).on('error', reject))`,
    ],
  ])('reach the Lambda runtime API %s', async (_, expression) => {
    expect(await attempt(expression(port))).toBe('ERR_ACCESS_DENIED');
    expect(requestCount).toBe(0);
  });

  test('reach the metadata of the machine', async () => {
    expect(await attempt(`fetch('http://169.254.169.254/latest/meta-data/')`)).toBe('ERR_ACCESS_DENIED');
  });

  test('connect to a socket of the machine', async () => {
    const path = join(directory, 'operator.sock');
    const server = createServer((socket) => socket.end('secret'));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const connecting = (options: string) =>
      `new Promise((resolve, reject) => net.connect(${options}).on('data', (d) => resolve(String(d))).on('error', reject))`;

    expect(await attempt(connecting(JSON.stringify(path)))).toBe('ERR_ACCESS_DENIED');
    expect(await attempt(connecting(JSON.stringify({ path })))).toBe('ERR_ACCESS_DENIED');
    await closeServer(server);
  });
});

describe('a component can', () => {
  test('reach an ordinary server, by name and by address', async () => {
    const server = createHttpServer((_, response) => response.end('answer'));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const at = (server.address() as AddressInfo).port;

    expect(await attempt(`fetch('http://localhost:${at}/').then((r) => r.text())`)).toBe('answer');
    expect(await attempt(`fetch('http://127.0.0.1:${at}/').then((r) => r.text())`)).toBe('answer');
    await closeServer(server);
  });

  test('ask which modules are builtin, as old packages do', async () => {
    expect(await attempt(`Object.keys(process.binding('natives')).includes('fs')`)).toBe(true);
  });

  test('use builtins, streams and temporary directories', async () => {
    expect(await attempt(`require('crypto').createHash('sha256').update('').digest('hex').length`)).toBe(64);
    expect(await attempt(`fs.promises.mkdtemp(os.tmpdir() + '/a-').then((d) => fs.existsSync(d))`)).toBe(true);
    const stream = `new Promise((resolve, reject) => fs.createWriteStream('/tmp/s').on('error', reject).end('streamed', () => fs.createReadStream('/tmp/s').on('error', reject).on('data', (d) => resolve(String(d)))))`;
    expect(await attempt(stream)).toBe('streamed');
  });
});

describe('one source', () => {
  test('sees no files, globals and patched builtins of another', async () => {
    const first = `fs.writeFileSync('/tmp/shared', 'mine') ?? (globalThis.shared = 1, JSON.parse = () => 'patched', 'left')`;
    const code = (expression: string) => source(`run() { this.$emit(${expression}); }`, `import fs from 'node:fs';`);
    await runner.run(code(first), { processKey: 'dc_one' });
    const look = code(`[fs.existsSync('/tmp/shared'), typeof globalThis.shared, JSON.parse('1')]`);

    expect((await runner.run(look, { processKey: 'dc_two' })).events).toEqual([[false, 'undefined', 1]]);
    expect(existsSync('/tmp/shared')).toBe(false);
  });

  test('does not see the machine or the host in its errors', async () => {
    const response = await runner.run(source(`run() { throw new Error('where'); }`));
    const stack = response.of('end')[0]?.error?.stack ?? '';

    expect(stack).toMatch(/bundle\.mjs:\d+/);
    expect(stack).not.toContain(tmpdir());
  });

  test('logs errors without paths of the machine or the host, and with all else', async () => {
    const shown = `{ lone: new Error('1'), member: Object.assign(new Error('2'), { code: 'E' }), after: 3 }`;
    const response = await runner.run(source(`run() { console.error(new Error('0')); console.log(${shown}); }`));
    // Later versions of Node add a line about themselves.
    const [lone, nested] = response.logs.map((log) => log.replaceAll(/\n +at [^\n]*\(node:[^\n)]*\)/g, ''));

    expect(lone).toMatch(/^Error: 0\n +at [^\n]*bundle\.mjs:\d+:\d+\)$/);
    expect(nested).toMatch(
      /bundle\.mjs:\d+:\d+\),?\n +member: Error: 2\n[^\n]+\) \{\n +code: 'E'\n +\},\n +after: 3\n\}$/,
    );
    expect(response.logs.join('')).not.toContain(tmpdir());
  });

  test('does not show credentials of its account in logs, errors, events, this or JSON', async () => {
    const code = `
      const app = { type: 'app', app: 'x', methods: { token() { return this.$auth.api_token; } } };
      export default { name: 'Secretive', props: { app, word: { type: 'string', secret: true }, db: '$.service.db' },
        run() {
          const t = this.app.token();
          console.log(this, this.app, this.app.$auth, t, this.word, 'x'.repeat(4090) + t);
          this.$emit({ t, length: t.length, own: JSON.stringify(this), word: this.word, all: this.app.$auth });
          process.stdout.write(t);
          throw Object.assign(new Error('failed with ' + t), { code: t });
        } };`;
    const props = {
      app: { $auth: { api_token: 'canary"token', base_url: 'http://public.example' } },
      word: 'canary-word',
    };
    const response = await runner.run(code, { props });

    const output = JSON.stringify(response.lines);
    expect(response.events).toMatchObject([{ length: 12, t: '[hidden]' }]);
    expect(output).not.toContain('canary\\"token');
    expect(output).not.toContain('canary-word');
    expect(JSON.stringify([response.logs, response.of('end')])).not.toContain('canary');
  });
});

test('the secret file of this test was there to be read', () => {
  expect(readFileSync(secret, 'utf8')).toBe('canary');
});
