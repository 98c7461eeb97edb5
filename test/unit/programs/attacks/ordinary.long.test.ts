import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Spawner } from '../../../../infra/embedded/isolation/spawner.ts';
import { buildProgram } from '../../../../infra/embedded/programs.ts';
import { selfSigned } from '../../../programs/compat/certificate.ts';
import { run, Runner, source } from '../../functions/runner/harness.ts';
import { testedLevels } from '../../../programs/attacks/levels.ts';
import { closeServer } from '../../../support/close-server.ts';
import { freePort } from '../../../support/free-port.ts';

/** Clients, drivers and servers of a component work the same at every level (docs/isolation.md). */

const folder = mkdtempSync(join(tmpdir(), 'ordinary-'));
const spawnerProgram = join(folder, 'spawner.cjs');
const servers: Server[] = [];
const ports = { silent: 0, http: 0, https: 0, http2: 0, greeting: 0, echo: 0, closed: 0, reset: 0 };

const connections = new Set<Socket>();
const port = async (server: Server): Promise<number> => {
  servers.push(server);
  server.on('connection', (socket) => connections.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

beforeAll(async () => {
  // Components have other users at one of the levels.
  chmodSync(folder, 0o755);
  await buildProgram('spawner', spawnerProgram);
  const { key, cert } = selfSigned(['localhost']);
  writeFileSync(join(folder, 'ca.pem'), cert, { mode: 0o644 });
  ports.http = await port(
    createHttpServer((request, response) => request.pipe(response.setHeader('x-host', request.headers.host ?? ''))),
  );
  ports.https = await port(createHttpsServer({ key, cert }, (_, response) => response.end('secure')));
  const h2 = createSecureServer({ key, cert }, (_, response) => response.end('second'));
  ports.http2 = await port(h2 as unknown as Server);
  ports.greeting = await port(createServer((socket) => socket.end('hello before you\n')));
  ports.echo = await port(createServer((socket) => socket.pipe(socket)));
  ports.silent = await port(createServer());
  // After the request is sent: Node's fetch opens another connection for one that is not.
  ports.reset = await port(createServer((socket) => socket.once('data', () => socket.destroy())));
  ports.closed = await freePort();
});
afterAll(async () => {
  for (const connection of connections) connection.destroy();
  await Promise.all(servers.map((server) => closeServer(server)));
  rmSync(folder, { recursive: true, force: true });
});

const ORDINARY: [string, string, unknown][] = [
  [
    'fetch',
    `fetch('http://localhost:' + ports.http, { method: 'POST', body: 'x'.repeat(300_000) }).then((r) => r.text()).then((t) => t.length)`,
    300_000,
  ],
  ['fetch by TLS', `fetch('https://localhost:' + ports.https).then((r) => r.text())`, 'secure'],
  [
    'https.get',
    `new Promise((ok, no) => require('https').get('https://localhost:' + ports.https, (r) => r.on('data', (d) => ok(String(d)))).on('error', no))`,
    'secure',
  ],
  [
    'tls.connect with a port and a host',
    `new Promise((ok, no) => require('tls').connect(ports.https, 'localhost', function () { ok(this.authorized); this.end(); }).on('error', no))`,
    true,
  ],
  [
    'a TLS socket over a socket',
    `new Promise((ok, no) => { const socket = net.connect(ports.https, '127.0.0.1', () => require('tls').connect({ socket, servername: 'localhost' }, function () { ok(this.authorized); this.end(); }).on('error', no)); })`,
    true,
  ],
  [
    'HTTP/2',
    `new Promise((ok, no) => { const session = require('http2').connect('https://localhost:' + ports.http2).on('error', no); session.request().on('data', (d) => { ok(String(d)); session.close(); }).end(); })`,
    'second',
  ],
  [
    'requests that share a connection',
    `(async () => { const agent = new http.Agent({ keepAlive: true, maxSockets: 1 }); const bodies = []; for (let n = 0; n < 5; n += 1) bodies.push(await new Promise((ok, no) => http.request({ agent, host: 'localhost', port: ports.http, method: 'POST' }, (r) => r.on('data', (d) => ok(String(d)))).on('error', no).end('n' + n))); agent.destroy(); return bodies.join(); })()`,
    'n0,n1,n2,n3,n4',
  ],
  [
    'a server that speaks first',
    `new Promise((ok, no) => net.connect({ port: ports.greeting, host: 'localhost' }).on('data', (d) => ok(String(d))).on('error', no))`,
    'hello before you\n',
  ],
  [
    'a socket that is made before it connects, and writes before that',
    `new Promise((ok, no) => { const socket = new net.Socket(); socket.setNoDelay(true); socket.setKeepAlive(true); socket.on('error', no).on('data', (d) => { ok([String(d), socket.remotePort === ports.echo]); socket.destroy(); }); socket.connect(ports.echo, 'localhost'); socket.write('early'); })`,
    ['early', true],
  ],
  [
    'the half of a connection',
    `new Promise((ok, no) => { let text = ''; net.connect({ port: ports.echo, host: '127.0.0.1', allowHalfOpen: true }).on('error', no).on('data', (d) => { text += d; }).on('end', () => ok(text)).end('all'); })`,
    'all',
  ],
  [
    'a closed port',
    `net.connect(ports.closed, '127.0.0.1').on('error', () => {}) && new Promise((ok) => net.connect(ports.closed, '127.0.0.1').on('error', ({ code, port }) => ok([code, port === ports.closed])))`,
    ['ECONNREFUSED', true],
  ],
  ['an unknown name', `fetch('http://unknown.invalid/').catch((error) => error.cause.code)`, 'ENOTFOUND'],
  [
    'a server that resets',
    `fetch('http://localhost:' + ports.reset).catch((error) => ['ECONNRESET', 'UND_ERR_SOCKET'].includes(error.cause.code))`,
    true,
  ],
  [
    'a request that is aborted',
    `fetch('http://localhost:' + ports.silent, { signal: AbortSignal.timeout(100) }).catch((error) => error.name)`,
    'TimeoutError',
  ],
  [
    'dns.lookup',
    `new Promise((ok, no) => dns.lookup('localhost', { family: 4 }, (error, address, family) => error ? no(error) : ok([address, family])))`,
    ['127.0.0.1', 4],
  ],
  [
    'dns.promises.lookup',
    `dns.promises.lookup('localhost', { family: 4, all: true })`,
    [{ address: '127.0.0.1', family: 4 }],
  ],
  [
    'util.promisify(dns.lookup)',
    `require('util').promisify(dns.lookup)('localhost', 4)`,
    { address: '127.0.0.1', family: 4 },
  ],
  [
    'a lookup of its own',
    `new Promise((ok, no) => http.request({ host: 'own.invalid', port: ports.http, method: 'POST', lookup: (name, options, done) => options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4) }, (r) => r.on('data', (d) => ok(String(d)))).on('error', no).end('mapped'))`,
    'mapped',
  ],
  [
    'a server of its own on loopback',
    `new Promise((ok, no) => { const server = http.createServer((_, r) => r.end('own')).listen(0, '127.0.0.1', () => fetch('http://127.0.0.1:' + server.address().port).then((r) => r.text()).then(ok, no)); })`,
    'own',
  ],
  [
    'a socket of its own in /tmp',
    `new Promise((ok, no) => { const server = http.createServer((_, r) => r.end('own')).on('error', no).listen('own.sock', () => http.get({ socketPath: 'own.sock' }, (r) => r.on('data', (d) => ok(String(d)))).on('error', no)); })`,
    'own',
  ],
  [
    'fs, crypto, streams, zlib, timers',
    `(async () => { fs.writeFileSync('/tmp/a', 'x'); const packed = require('zlib').gzipSync(fs.readFileSync('/tmp/a')); await new Promise((ok) => setTimeout(ok, 1)); return require('crypto').createHash('sha256').update(require('zlib').gunzipSync(packed)).digest('hex').length; })()`,
    64,
  ],
];

for (const level of testedLevels) {
  describe(level, () => {
    let spawner: Spawner;
    let runner: Runner;
    beforeAll(async () => {
      spawner = new Spawner(spawnerProgram, { asked: level });
      runner = await Runner.start({
        processes: spawner,
        env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
      });
    });
    afterAll(async () => {
      await runner.close();
      await spawner.close();
    });

    const component = (expression: string) =>
      source(
        `async run() {
          const ports = ${JSON.stringify(ports)};
          let got;
          try { got = await (${expression}); } catch (error) { got = String(error.cause ?? error); }
          this.$emit({ got });
        }`,
        `import fs from 'node:fs'; import http from 'node:http'; import net from 'node:net'; import dns from 'node:dns';
         import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
      );

    test.each(ORDINARY)('%s', async (_, expression, expected) => {
      const outcome = await runner.run(component(expression));

      expect(outcome.events, JSON.stringify(outcome.lines)).toEqual([{ got: expected }]);
    });

    test('a process that listened is ended with its run, and one that did not is not', async () => {
      const code = component(
        `(globalThis.runs = (globalThis.runs ?? 0) + 1, runs === 1 ? [runs, process.env.LISTEN] : new Promise((ok) => net.createServer().listen(0, '127.0.0.1', () => ok([runs]))))`,
      );
      const outcomes = [];
      for (let n = 0; n < 4; n += 1) outcomes.push((await runner.run(code, { jobs: [run(n)] })).events);

      expect(outcomes.flat()).toEqual([{ got: [1, null] }, { got: [2] }, { got: [1, null] }, { got: [2] }]);
    });
  });
}
