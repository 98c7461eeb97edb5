import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSigned } from '../../../programs/compat/certificate.ts';
import { Runner, source } from './harness.ts';
import { closeServer } from '../../../support/close-server.ts';

/** Hosts in the stage's map are reached at another address, through every client of Node. */
const directory = mkdtempSync(join(tmpdir(), 'hosts-'));
const servers: Server[] = [];
let runner: Runner;
let plain = 0;

const listen = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

beforeAll(async () => {
  const certificate = selfSigned(['api.upstream.test', 'other.test']);
  writeFileSync(join(directory, 'ca.pem'), certificate.cert);
  const secure = await listen(
    createServer(certificate, (request, response) => response.end(`secure ${request.headers.host}`)),
  );
  plain = await listen(createHttpServer((request, response) => response.end(`plain ${request.headers.host}`)));
  runner = await Runner.start({
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') },
    hosts: {
      'api.upstream.test': `127.0.0.1:${secure}`,
      'unknown.test': `127.0.0.1:${secure}`,
      '*': `127.0.0.1:${plain}`,
    },
  });
});
afterAll(async () => {
  await runner.close();
  for (const server of servers) await closeServer(server);
  rmSync(directory, { recursive: true, force: true });
});

async function got(expression: string): Promise<unknown> {
  const code = source(
    `async run() { let got; try { got = await (${expression}); } catch (error) { got = error.cause?.code ?? error.code; } this.$emit({ got }); }`,
    `import http from 'node:http'; import https from 'node:https'; import tls from 'node:tls';
     const text = (ask, url) => new Promise((resolve, reject) => ask(url, async (response) => { let all = ''; for await (const part of response) all += part; resolve(all); }).on('error', reject));`,
  );
  const [event] = (await runner.run(code)).events;
  return (event as { got: unknown }).got;
}

test.each([
  ['https', `text(https.get, 'https://api.upstream.test/x')`, 'secure api.upstream.test'],
  ['fetch', `fetch('https://API.upstream.test/x').then((r) => r.text())`, 'secure api.upstream.test'],
  [
    'https by its parts, in whatever case',
    `text(https.get, { host: 'API.upstream.test', path: '/x' })`,
    'secure API.upstream.test',
  ],
  ['http, and every host that is not named', `text(http.get, 'http://any.test/x')`, 'plain any.test'],
  ['names within names', `text(http.get, 'http://a.b.test:81/x')`, 'plain a.b.test:81'],
])('%s', async (_, expression, expected) => {
  expect(await got(expression)).toBe(expected);
});

test('a certificate that is not the host’s own is refused', async () => {
  expect(await got(`text(https.get, 'https://unknown.test/')`)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(await got(`fetch('https://unknown.test/')`)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(
    await got(
      `new Promise((resolve, reject) => tls.connect({ host: 'unknown.test', port: 443 }, resolve).on('error', reject))`,
    ),
  ).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
});

test('addresses and localhost are not mapped', async () => {
  expect(await got(`text(http.get, 'http://127.0.0.1:${plain}/')`)).toBe(`plain 127.0.0.1:${plain}`);
  expect(await got(`text(http.get, 'http://localhost:1/')`)).toBe('ECONNREFUSED');
});

test('a forbidden address stays forbidden', async () => {
  expect(await got(`text(http.get, 'http://169.254.169.254/')`)).toBe('ERR_ACCESS_DENIED');
});
