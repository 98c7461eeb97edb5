import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../../../compat/certificate.ts';
import { run, Runner, source } from './harness.ts';

/** What the upstream says of the account reaches events untouched, however it comes in; what the component says of it does not. */

const TEAM = 'T024BE7LD';
const PLACE = 'https://acmé.example/a&b';
const PIN = '4711';
const TOKEN = 'token-of-the-account';
const AUTH = { oauth_access_token: TOKEN, team_id: TEAM, site: PLACE, pin: PIN };
const SAID = { team: { id: TEAM }, web_url: `${PLACE}/one`, no: PIN };

const directory = mkdtempSync(join(tmpdir(), 'inbound-'));
const servers: Server[] = [];
let runner: Runner;
let upstream = '';
let secure = '';
let two = '';
let bundledAxios = '';

const answer: RequestListener = (request, response) => {
  const text = JSON.stringify({ ...SAID, echo: request.headers['x-token'] });
  const at = text.indexOf(TEAM) + 4;
  const [, how] = (request.url ?? '').split('/');
  if (how === 'empty') response.end('{}');
  else if (how === 'pin') response.end(JSON.stringify({ no: PIN }));
  else if (how === 'gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
  else if (how === 'br') response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(text));
  else if (how === 'chunked') {
    response.write(text.slice(0, at));
    setTimeout(() => response.end(text.slice(at)), 20);
  } else if (how === 'bytes') {
    for (const byte of Buffer.from(text)) response.write(Buffer.from([byte]));
    response.end();
  } else if (how === 'php') {
    response.end(
      text.replaceAll('/', '\\/').replace(/[^ -~]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
    );
  } else response.end(text);
};

async function listen(server: Server | ReturnType<typeof createSecureServer>): Promise<number> {
  servers.push(server as Server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const certificate = selfSigned(['localhost']);
  writeFileSync(join(directory, 'ca.pem'), certificate.cert);
  upstream = `http://127.0.0.1:${await listen(createServer(answer))}`;
  secure = `https://localhost:${await listen(createSecure(certificate, answer))}`;
  const multiplexed = createSecureServer(certificate);
  multiplexed.on('stream', (stream) => {
    stream.respond({ ':status': 200 });
    stream.end(JSON.stringify(SAID));
  });
  two = `https://localhost:${await listen(multiplexed)}`;
  const { outputFiles } = await build({
    stdin: { contents: 'export { default } from "axios"', resolveDir: process.cwd() },
    ...{ bundle: true, platform: 'node', format: 'cjs', write: false, minify: true },
  });
  const code = JSON.stringify(outputFiles[0]?.text);
  bundledAxios = `import { createRequire } from 'node:module'; const made = { exports: {} };
    new Function('module', 'exports', 'require', ${code})(made, made.exports, createRequire(import.meta.url)); const axios = made.exports.default;`;
  runner = await Runner.start({ env: { ...process.env, NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') } });
});
afterAll(async () => {
  await runner.close();
  for (const server of servers) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
  rmSync(directory, { recursive: true, force: true });
});

/** What a run of this body emits, with the account. */
async function emitted(
  body: string,
  { before = '', event = {}, db = '{}', props = {} } = {},
): Promise<unknown> {
  const code = source(
    `async run(event) { const said = await (async () => { ${body} })(); this.$emit(said); }`,
    before,
  );
  const answer = await runner.run(code, {
    props: { app: { $auth: AUTH }, ...props },
    db,
    jobs: [run(event)],
  });
  expect(answer.ends).toEqual(['ok']);
  return answer.events[0];
}

const HIDDEN = { team: { id: '[hidden]' }, web_url: '[hidden]/one', no: '[hidden]' };
const OWN = `const { team_id, site, pin } = this.app.$auth; return { team: { id: team_id }, web_url: site + '/one', no: pin };`;
const HEADERS = `{ headers: { 'x-token': this.app.$auth.oauth_access_token } }`;

describe('what the upstream says is emitted untouched, the credentials that it echoes are not', () => {
  const expected = { ...SAID, echo: '[hidden]' };

  test.each(['plain', 'gzip', 'br', 'chunked', 'bytes', 'php'])(
    '%s, by fetch, axios and http',
    async (how) => {
      const url = `${upstream}/${how}`;
      expect(await emitted(`return (await fetch('${url}', ${HEADERS})).json();`)).toEqual(expected);
      expect(
        await emitted(`return (await axios('${url}', ${HEADERS})).data;`, { before: bundledAxios }),
      ).toEqual(expected);
      if (how === 'gzip' || how === 'br') return;
      const asked = `let text = ''; for await (const chunk of await new Promise((resolve) => http.get('${url}', ${HEADERS}, resolve))) text += chunk; return JSON.parse(text);`;
      expect(await emitted(asked, { before: "import http from 'node:http';" })).toEqual(expected);
    },
  );

  test('by TLS', async () => {
    const url = `${secure}/chunked`;
    expect(await emitted(`return (await fetch('${url}', ${HEADERS})).json();`)).toEqual(expected);
    expect(
      await emitted(`return (await axios('${url}', ${HEADERS})).data;`, { before: bundledAxios }),
    ).toEqual(expected);
  });

  test('by HTTP/2', async () => {
    const asked = `const session = http2.connect('${two}'); let text = '';
      for await (const chunk of session.request({ ':path': '/' })) text += chunk;
      session.close(); return JSON.parse(text);`;
    expect(await emitted(asked, { before: "import http2 from 'node:http2';" })).toEqual(SAID);
  });

  test('by its event, the db or what the user configured', async () => {
    expect(await emitted('return event;', { event: SAID })).toEqual(SAID);
    expect(await emitted("return this.db.get('said');", { db: JSON.stringify({ said: SAID }) })).toEqual(
      SAID,
    );
    expect(await emitted('return this.said;', { props: { said: SAID } })).toEqual(SAID);
    expect(await emitted(OWN, { props: { said: SAID } })).toEqual(SAID);
  });

  test('in the runs that follow in the same process', async () => {
    const code = source(
      `async run({ ask }) { this.$emit(ask ? await (await fetch('${upstream}')).json() : (() => { ${OWN} }).call(this)); }`,
    );
    const jobs = [false, true, false].map((ask) => run({ ask }));
    const answer = await runner.run(code, { props: { app: { $auth: AUTH } }, jobs });
    expect(answer.events).toEqual([HIDDEN, SAID, SAID]);
  });
});

describe('what only the component says is hidden', () => {
  test.each([
    ['by itself', ''],
    ['after an upstream that said something else', `await (await fetch(upstream + '/empty')).text();`],
    [
      'through a stream of its own',
      `for await (const _ of Readable.from([JSON.stringify(this.app.$auth)]));`,
    ],
    ['through a body of its own', `await new Response(JSON.stringify(this.app.$auth)).text();`],
    [
      'through a file',
      `fs.writeFileSync('/tmp/x', JSON.stringify(this.app.$auth)); for await (const _ of fs.createReadStream('/tmp/x'));`,
    ],
    [
      'in a request that nobody repeats',
      `await (await fetch(upstream + '/empty', { method: 'POST', body: JSON.stringify(this.app.$auth) })).text();`,
    ],
    [
      'after it has changed what hearing needs',
      `Buffer.prototype.latin1Slice = String.prototype.includes = () => true; RegExp.prototype.test = () => true;`,
    ],
    ['after it has hung itself between', `Readable.prototype.push = function () { throw new Error('no'); };`],
  ])('%s', async (_, body) => {
    const before = `import { Readable } from 'node:stream'; import fs from 'node:fs'; import net from 'node:net'; const upstream = '${upstream}';`;
    expect(await emitted(`${body} ${OWN}`, { before })).toEqual(HIDDEN);
  });

  test('in the next request too, which the host sends with the account', async () => {
    const code = source(`run() { this.$emit((() => { ${OWN} })()); }`);
    for (const event of [1, 2]) {
      const answer = await runner.run(code, { props: { app: { $auth: AUTH } }, jobs: [run({ event })] });
      expect(answer.events).toEqual([HIDDEN]);
    }
  });

  test('in later runs too, when it has stored it, whose db still says what the upstream said', async () => {
    const code = source(`async run({ ask }) {
      if (ask === 'set') {
        this.db.set('own', this.app.$auth.team_id);
        this.db.set(this.app.$auth.site, 1);
        this.db.set('said', await (await fetch('${upstream}/pin')).json());
      }
      this.$emit({ own: this.db.get('own'), site: this.app.$auth.site, ...this.db.get('said') });
    }`);
    const props = { app: { $auth: AUTH } };
    const first = await runner.run(code, { props, jobs: [run({ ask: 'set' }), run({})] });
    const db = JSON.stringify(first.db);
    const next = await runner.run(code, { props, db, processKey: 'another process' });
    for (const event of [...first.events, ...next.events])
      expect(event).toEqual({ own: '[hidden]', site: '[hidden]', no: PIN });
    expect([first.events.length, next.events.length]).toEqual([2, 1]);
  });

  test('whatever it breaks, the upstream is still read', async () => {
    const asked = `const no = () => { throw new Error('no'); };
      Reflect.apply = Reflect.get = Buffer.isBuffer = no;
      return (await (await fetch('${upstream}')).json()).team !== undefined;`;
    expect(await emitted(asked)).toBe(true);
  });
});

test('a source without such fields keeps its streams as Node made them', async () => {
  const code = source(
    `run() { this.$emit(Readable.prototype.push.toString().includes('readableAddChunk')); }`,
    `import { Readable } from 'node:stream'; const own = Readable.prototype.push;`,
  );
  const of = async (props: object) =>
    (await runner.run(code, { props: { ...props }, processKey: JSON.stringify(props) })).events;
  expect(await of({ app: { $auth: { token: TOKEN } } })).toEqual([true]);
  expect(await of({ app: { $auth: AUTH } })).toEqual([false]);
});
