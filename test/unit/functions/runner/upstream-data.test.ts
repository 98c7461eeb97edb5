import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run, Runner, source } from './harness.ts';
import { closeServer } from '../../../support/close-server.ts';

/** Data of the account's own service reaches events untouched, except credentials that it repeats. */

const TOKEN = 'token-of-the-account';
const AUTH = {
  oauth_access_token: TOKEN,
  team_id: 'T024BE7LD',
  site: 'https://acmé.example/a&b',
  pin: '4711',
};
const DATA = { team: { id: AUTH.team_id }, web_url: `${AUTH.site}/one`, count: 47110, at: 'order 4711' };

let runner: Runner;
let server: Server;
let upstream: string;
beforeAll(async () => {
  runner = await Runner.start();
  server = createServer((request, response) => {
    response.end(JSON.stringify({ ...DATA, echo: request.headers['x-token'] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await runner.close();
  await closeServer(server);
});

/** The events of a run with this body and the account. */
async function emitted(body: string, { event = {}, db = '{}', props = {} } = {}): Promise<unknown[]> {
  const code = source(`async run(event) { this.$emit(await (async () => { ${body} })()); }`);
  const response = await runner.run(code, {
    props: { app: { $auth: AUTH }, ...props },
    db,
    jobs: [run(event)],
  });
  expect(response.ends).toEqual(['ok']);
  return response.events;
}

describe('data of the account is emitted untouched', () => {
  test('from an upstream, and a credential that the upstream repeats is redacted', async () => {
    const echo = `return (await fetch('${upstream}', { headers: { 'x-token': this.app.$auth.oauth_access_token } })).json();`;
    expect(await emitted(echo)).toEqual([{ ...DATA, echo: '[hidden]' }]);
  });

  test('from the event, the db and the other props', async () => {
    expect(await emitted('return event;', { event: DATA })).toEqual([DATA]);
    expect(await emitted(`return this.db.get('data');`, { db: JSON.stringify({ data: DATA }) })).toEqual([DATA]);
    expect(await emitted('return this.data;', { props: { data: DATA } })).toEqual([DATA]);
  });

  test('from the account itself, except its credentials', async () => {
    expect(await emitted('return this.app.$auth;')).toEqual([
      { ...AUTH, oauth_access_token: '[hidden]', pin: '[hidden]' },
    ]);
  });
});

test('logs and errors show the names of the account, and no credential', async () => {
  const code = source(
    `async run(event) { console.log(event, this.app.$auth); throw new Error(JSON.stringify(this.app.$auth)); }`,
  );
  const { logs, lines } = await runner.run(code, { props: { app: { $auth: AUTH } }, jobs: [run(DATA)] });
  const ends = JSON.stringify(lines.filter(({ k }) => k === 'error' || k === 'end'));
  for (const text of [logs.join(), ends]) {
    for (const value of [AUTH.team_id, AUTH.site]) expect(text).toContain(value);
    expect(text).not.toContain(TOKEN);
    expect(text.replaceAll('order 4711', '').replaceAll('47110', '')).not.toContain(AUTH.pin);
  }
});

test('ids, summaries and stream names show the names of an account, and no credential', async () => {
  const NAMES = {
    AccountSid: 'AC0123456789abcdef0123456789abcdef',
    realmId: '9130357766219986',
    locationId: 'LH2G9HYP4K6SV',
    slug: 'acme-eu-workspace',
    store_hash: 'x9y8z7w6v5',
    yourinstance: 'dev-acme-4711',
    company_domain: 'acme-sandbox',
  };
  const code = source(`run() {
    const { AuthToken, ...names } = this.app.$auth;
    for (const [name, value] of Object.entries(names))
      this.$emit({ name, value, AuthToken }, { id: value + '/' + AuthToken, summary: value + ' of ' + AuthToken, name: value });
  }`);
  const auth = { ...NAMES, AuthToken: 'b01dface5e1ec7ed0ff5e7' };
  const { lines } = await runner.run(code, { props: { app: { $auth: auth } }, jobs: [run({})] });
  const emits = lines.filter((line) => line.k === 'emit');
  expect(emits.map(({ meta }) => [meta.id, meta.summary, meta.name])).toEqual(
    Object.values(NAMES).map((value) => [`${value}/[hidden]`, `${value} of [hidden]`, value]),
  );
  expect(emits.map(({ json }) => JSON.parse(json) as unknown)).toEqual(
    Object.entries(NAMES).map(([name, value]) => ({ name, value, AuthToken: '[hidden]' })),
  );
});

test('the streams of Node are not patched in a child with an account', async () => {
  const patched = `return !(await import('node:stream')).Readable.prototype.push.toString().includes('readableAddChunk');`;
  expect(await emitted(patched)).toEqual([false]);
});
