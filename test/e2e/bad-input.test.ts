import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient, ApiRequest } from '../support/api-client.ts';
import { operator } from '../support/operator.ts';
import { Receiver } from '../support/receiver.ts';
import { type Deployed, ECHO, type Hook, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let source: Deployed;
let hook: Hook;
let stranger: ApiClient;
let workflow: string;
beforeAll(async () => {
  scene = await Scene.open();
  source = await scene.source(ECHO);
  hook = await scene.webhook(await Receiver.start());
  const run = operator(scene.cloud);
  const { api_key: key } = await run<{ api_key: string }>('users create', {
    username: 'stranger',
    email: 'stranger@example.com',
  });
  stranger = scene.api.as(key);
  const me = (await scene.api.get('/users/me')).body.data.id as string;
  ({ id: workflow } = await run<{ id: string }>('workflows register', {
    owner: me,
    name: 'W',
    target: 'http://127.0.0.1:9/',
  }));
});
afterAll(async () => {
  await scene.close();
  await hook.receiver.stop();
});

const bad = async (method: string, path: string, request: ApiRequest, status = 400) => {
  const response = await scene.api.call(method, path, request);
  expect(
    response.status,
    `${method} ${path} ${JSON.stringify(request).slice(0, 200)} → ${response.text.slice(0, 200)}`,
  ).toBe(status);
  expect(response.body.error).toMatch(/\S/);
  return response;
};

test.each(['{', '{"a":}', '{"component_code":"x"', 'component_code=x', '\u0000', '{"a":1}{"b":2}', '\ufeff\ufeff{}'])(
  'broken JSON %j is 400 malformed_json',
  async (raw) => {
    for (const path of ['/components', '/sources', `/sources/${source.id}/run`])
      expect((await bad('POST', path, { raw })).body.code).toBe('malformed_json');
  },
);

test('wrong types are 400 that name the parameter', async () => {
  const wrong: [string, string, Record<string, unknown>][] = [
    ['POST', '/components', { component_code: 5 }],
    ['POST', '/components', { component_url: ['http://a'] }],
    ['POST', '/sources', { component_code: {} }],
    ['POST', '/sources', { component_code: ECHO, name: 5 }],
    ['POST', '/sources', { component_code: ECHO, configured_props: [] }],
    ['PUT', `/sources/${source.id}`, { active: 'yes' }],
    ['POST', '/webhooks', { url: 7 }],
    ['POST', '/subscriptions', { emitter_id: 1, listener_id: 2 }],
    ['POST', '/auto_subscriptions', { event_name: {}, listener_id: source.id }],
  ];
  for (const [method, path, body] of wrong) {
    const { body: response } = await bad(method, path, { body });
    expect(Object.keys(body)).toContain(response.details[0].path.split('.')[0]);
  }
});

test('missing and empty parameters are 400', async () => {
  for (const path of ['/components', '/sources', '/webhooks', '/subscriptions', '/auto_subscriptions']) {
    await bad('POST', path, { body: {} });
    await bad('POST', path, {});
  }
  await bad('POST', '/webhooks', { query: 'url=' });
  await bad('POST', '/subscriptions', { query: `emitter_id=${source.id}&listener_id=` });
  await bad('POST', '/auto_subscriptions', { query: `event_name=&listener_id=${source.id}` });
  await bad('DELETE', '/subscriptions', { query: `emitter_id=${source.id}` });
});

test('a body of 1.1 MiB is 413, and one of 0.6 MiB at an endpoint too', async () => {
  const raw = JSON.stringify({ component_code: 'x'.repeat(1.1 * 2 ** 20) });
  for (const path of ['/components', '/sources', `/sources/${source.id}/run`]) await bad('POST', path, { raw }, 413);
  const response = await scene.send(source.endpoint, { text: 'x'.repeat(0.6 * 2 ** 20) });
  expect(response.status).toBe(413);
});

test.each(['0', '101', '1e2', '-1', 'abc'])('limit %s is 400 on every list', async (limit) => {
  for (const list of [
    '/users/me/sources',
    '/users/me/webhooks',
    `/sources/${source.id}/event_summaries`,
    `/workflows/${workflow}/event_summaries`,
    `/workflows/${workflow}/$errors/event_summaries`,
  ])
    expect((await bad('GET', list, { query: { limit } })).body.details[0].path).toBe('limit');
});

test('foreign and forged cursors are 400', async () => {
  await scene.source(ECHO);
  const { body } = await scene.api.get('/users/me/sources', { limit: 1 });
  const cursor = body.page_info.end_cursor as string;
  await bad('GET', '/users/me/webhooks', { query: { after: cursor } });
  expect((await stranger.get('/users/me/sources', { after: cursor })).status).toBe(400);
  for (const forged of [
    'x',
    '0',
    `${cursor}A`,
    cursor.slice(0, -1),
    Buffer.from('{}').toString('base64url'),
    'dc_1',
    '../..',
    'é'.repeat(10),
  ])
    for (const list of ['/users/me/sources', '/users/me/webhooks', `/sources/${source.id}/event_summaries`])
      expect((await bad('GET', list, { query: { after: forged } })).body.code).toBe('invalid_cursor');
});

test("another user's ids are 404 everywhere", async () => {
  const { id: wh } = hook;
  const sc = source.data.component_id as string;
  const requests: [string, string, ApiRequest?][] = [
    ['GET', `/components/${sc}`],
    ['POST', '/sources', { body: { component_id: sc } }],
    ['GET', `/sources/${source.id}`],
    ['PUT', `/sources/${source.id}`, { body: { name: 'mine' } }],
    ['DELETE', `/sources/${source.id}`],
    ['POST', `/sources/${source.id}/run`, { body: {} }],
    ['GET', `/sources/${source.id}/events`],
    ['GET', `/sources/${source.id}/event_summaries`],
    ['DELETE', `/sources/${source.id}/events`],
    ['GET', `/workflows/${workflow}/event_summaries`],
    ['GET', `/workflows/${workflow}/$errors/event_summaries`],
    ['GET', `/webhooks/${wh}`],
    ['PUT', `/webhooks/${wh}`, { body: { name: 'mine' } }],
    ['DELETE', `/webhooks/${wh}`],
    ['POST', '/subscriptions', { query: { emitter_id: source.id, listener_id: wh } }],
    ['POST', '/subscriptions', { query: { emitter_id: 'dc_*', listener_id: wh } }],
    ['DELETE', '/subscriptions', { query: { emitter_id: source.id, listener_id: wh } }],
    ['POST', '/auto_subscriptions', { query: { event_name: 'default', listener_id: wh } }],
    ['DELETE', '/auto_subscriptions', { query: { event_name: 'default', listener_id: wh } }],
  ];
  for (const [method, path, request] of requests) {
    const { status, body } = await stranger.call(method, path, request);
    expect([status, body.code], `${method} ${path}`).toEqual([404, 'not_found']);
  }
  expect((await scene.api.get(`/sources/${source.id}`)).body.data.name).toBe(source.data.name);
});

test('ids of the wrong kind are 400 that say which are allowed, unknown ones of the right kind 404', async () => {
  const { id: wh } = hook;
  const wrong: [string, string, RegExp, ApiRequest?][] = [
    ['GET', `/sources/${wh}`, /dc_/],
    ['PUT', `/sources/${wh}`, /dc_/, { body: { name: 'x' } }],
    ['DELETE', '/sources/nonsense', /dc_/],
    ['GET', `/sources/${wh}/event_summaries`, /dc_/],
    ['GET', `/workflows/${source.id}/event_summaries`, /p_/],
    ['GET', `/webhooks/${source.id}`, /wh_/],
    ['POST', '/sources', /sc_/, { body: { component_id: source.id } }],
    ['POST', '/subscriptions', /dc_.*p_/, { query: { emitter_id: wh, listener_id: wh } }],
    ['POST', '/subscriptions', /wh_/, { query: { emitter_id: source.id, listener_id: 'dc_*' } }],
  ];
  for (const [method, path, message, request = {}] of wrong)
    expect((await bad(method, path, request)).body.error).toMatch(message);
  const unknown = source.id.slice(0, -4) + (source.id.endsWith('zzzz') ? 'aaaa' : 'zzzz');
  await bad('GET', `/sources/${unknown}`, {}, 404);
  await bad('GET', `/webhooks/wh_${unknown.slice(3)}`, {}, 404);
  await bad('GET', `/components/sc_${unknown.slice(3)}`, {}, 404);
  await bad('GET', `/workflows/p_${unknown.slice(3)}/event_summaries`, {}, 404);
  await bad('POST', '/subscriptions', { query: { emitter_id: unknown, listener_id: wh } }, 404);
});

test('unknown event ids are valid cursors; other texts are 400', async () => {
  await scene.send(source.endpoint, { n: 1 });
  const [event] = await scene.eventsOf(source.id, 1);
  expect((await scene.api.delete(`/sources/${source.id}/events`, { start_id: '1-7', end_id: '2-3' })).status).toBe(202);
  expect((await scene.api.get(`/sources/${source.id}/event_summaries`, { after: '1-7' })).body.data).toEqual([]);
  await until('the event above the position', async () =>
    (await scene.events(source.id, { before: '1-7' })).some(({ id }) => id === event?.id),
  );
  for (const id of ['x', '1', '-', '1-', '-1', '1--1', '1-1-1', '01-1', '1-1 ', '9'.repeat(30)])
    await bad('DELETE', `/sources/${source.id}/events`, { query: { start_id: id } });
});

test('unknown paths are 404 and unknown methods 405 with Allow, in our shape of errors', async () => {
  for (const path of [
    '/',
    '/nothing',
    '/sources/',
    '/users',
    '/users/you',
    `/sources/${source.id}/nothing`,
    '/components/registry',
    '/subscriptions/sub_1',
  ]) {
    const { status } = await scene.api.call('GET', path);
    expect([404, 405], path).toContain(status);
  }
  for (const [method, path] of [
    ['GET', '/subscriptions'],
    ['PATCH', `/sources/${source.id}`],
    ['DELETE', '/components'],
    ['PUT', '/webhooks'],
    ['POST', '/users/me'],
  ] as const) {
    const response = await bad(method, path, {}, 405);
    expect([response.body.code, response.headers.get('allow')]).toEqual([
      'method_not_allowed',
      expect.stringMatching(/[A-Z]/),
    ]);
  }
});

describe('Authorization', () => {
  /** Sent as bytes, because HTTP clients refuse to send some of these. */
  const raw = (headers: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(scene.cloud.origin);
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          ['GET /v1/users/me HTTP/1.1', `Host: ${hostname}`, ...headers, 'Connection: close', '', ''].join('\r\n'),
        ),
      );
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('end', () => resolve(text)).on('error', reject);
    });

  test.each([
    ['missing', () => []],
    ['empty', () => ['Authorization:']],
    ['without a scheme', () => [`Authorization: ${scene.cloud.key}`]],
    ['of another scheme', () => [`Authorization: Basic ${scene.cloud.key}`]],
    ['garbled', () => ['Authorization: Bearer \u00ff\u0001\u00fe']],
    ['of an unknown key', () => ['Authorization: Bearer 0123456789abcdef0123456789abcdef']],
    ['with two keys', () => [`Authorization: Bearer ${scene.cloud.key} ${scene.cloud.key}`]],
    ['duplicate', () => [`Authorization: Bearer ${scene.cloud.key}`, `Authorization: Bearer ${scene.cloud.key}`]],
    ['very long', () => [`Authorization: Bearer ${'x'.repeat(5_000)}`]],
  ])('%s is 401 with WWW-Authenticate, and comes before 404, 405 and 400', async (name, headers) => {
    const response = await raw(headers());
    // A control character is no HTTP at all.
    if (name === 'garbled') return expect(response).toMatch(/^HTTP\/1.1 40[01] /);
    expect(response).toMatch(/^HTTP\/1.1 401 /);
    // API Gateway may rename it.
    expect(response).toMatch(/^(?:x-amzn-remapped-)?www-authenticate: Bearer/im);
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['PATCH', '/sources'],
      ['GET', '/users/me/sources?limit=0'],
    ] as const)
      expect(
        (
          await scene.api.call(method, path.split('?')[0] ?? '', {
            key: null,
            query: path.split('?')[1] ?? '',
          })
        ).status,
      ).toBe(401);
  });
});

test.each([
  'example.com/hook',
  '//example.com',
  'http://',
  'https://',
  'http:///x',
  'https:///x',
  'http:x',
  'http:/x',
  'http://user:secret@example.com/',
  'http://user@example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://exa mple.com/',
  'http://example.com/a b',
  'http:\\\\example.com',
  'http://example.com\\x',
  'http://example.com/\nx',
  'http://:80/',
  'http://?x',
  'http://[::1',
  'http://example.com:99999/',
])('the webhook URL %j is 400', async (url) => {
  await bad('POST', '/webhooks', { query: { url } });
  await bad('POST', '/webhooks', { body: { url } });
});

test.each([
  'http://münchen.example/ü?q=ß',
  'HTTPS://EXAMPLE.com:8443/a',
  'http://\u4f8b\u3048.\u30c6\u30b9\u30c8/',
  'http://127.0.0.1:1/',
  'http://[::1]:1/x',
])('the webhook URL %j is taken and shown as given', async (url) => {
  const { status, body } = await scene.api.post('/webhooks', { url });
  expect([status, body.data.url]).toEqual([200, url]);
});

test('unicode in hosts and paths is sent as punycode and percent-escapes', async () => {
  const { receiver } = hook;
  const port = new URL(receiver.url).port;
  const { body } = await scene.api.post('/webhooks', { url: `http://127.0.0.1:${port}/ü?q=ß` });
  let path: string | undefined;
  receiver.onReceived = ({ url }) => (path = url);
  await scene.subscribe(source.id, body.data.id);
  await scene.send(source.endpoint, { n: 2 });
  await expect.poll(() => path).toBe('/%C3%BC?q=%C3%9F');
});
