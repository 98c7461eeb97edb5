import { EventSource } from 'eventsource';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hashOfKey } from '../../shared/domain/user/key-hash.ts';
import { userStore } from '../../shared/store/users/users.ts';
import { emitter } from '../support/components.ts';
import { LiveStream } from '../support/live-stream.ts';
import { type Deployed, ECHO, Scene } from '../support/scene.ts';
import { aUser, aWorkflow, tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const authorization = () => ({ authorization: `Bearer ${scene.cloud.key}` });
const follow = (path: string, headers: Record<string, string> = {}) =>
  LiveStream.open(`${scene.cloud.base}${path}`, { ...authorization(), ...headers });
const run = (source: Deployed, ...events: unknown[]) =>
  scene.api.post(`/sources/${source.id}/run`, { emits: events.map((event) => [event]) });
const emitted = (stream: LiveStream) => stream.events.map(({ data }) => JSON.parse(data).event as unknown);

describe('a live stream', () => {
  test('begins with the newest id, and sends each event as event_summaries shows it, in one line', async () => {
    const source = await scene.source(emitter());
    const empty = await follow(`/sources/${source.id}/sse`);
    expect(await empty.started()).toEqual({ event: 'start', id: '0-0', data: '{}' });
    expect(empty.status).toBe(200);
    expect(empty.headers.get('content-type')).toBe('text/event-stream');
    await run(source, { n: 1 }, { text: 'two\nlines' }, { long: 'x'.repeat(3_000) }, { huge: 'y'.repeat(250_000) });
    const messages = await empty.eventsUntil(4);
    const listed = await scene.events(source.id, { expand: 'event' });
    expect(messages.map(({ data }) => JSON.parse(data) as unknown)).toEqual(listed.toReversed());
    expect(messages.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).reverse());
    const next = await follow(`/sources/${source.id}/sse`);
    expect(await next.started()).toMatchObject({ id: listed[0]?.id });
    await run(source, { n: 5 });
    expect(await next.eventsUntil(1)).toHaveLength(1);
  });

  test('sends an event within 300 ms of its storing', async () => {
    const source = await scene.source(emitter());
    const stream = await follow(`/sources/${source.id}/sse`);
    await stream.started();
    const delays: number[] = [];
    const delayNext = async () => {
      const n = delays.length + 1;
      await run(source, { n });
      const last = await until('it comes', () => stream.events[n - 1], { everyMs: 2 });
      delays.push(Date.now() - (JSON.parse(last.data) as { indexed_at_ms: number }).indexed_at_ms);
    };
    // Other work of this machine delays some, or all for a while.
    await until('three of five in time', async () => {
      await delayNext();
      return delays.slice(-5).filter((ms) => ms < 300).length >= 3;
    });
  });

  test('is at the same paths without /v1 and with a trailing slash, and needs a key there too', async () => {
    const source = await scene.source(emitter());
    const paths = [`/sources/${source.id}/sse`, `/v1/sources/${source.id}/sse/`, `/sources/${source.id}/sse/`];
    const streams = await Promise.all(paths.map((path) => LiveStream.open(scene.cloud.origin + path, authorization())));
    for (const stream of streams) expect(await stream.started()).toMatchObject({ id: '0-0' });
    for (const path of paths) expect((await fetch(scene.cloud.origin + path)).status).toBe(401);
    const posted = await fetch(scene.cloud.origin + (paths[0] ?? ''), {
      method: 'POST',
      headers: authorization(),
    });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await follow('/sources/dc_unknown/sse')).status).toBe(404);
    const other = await aUser(scene.cloud);
    const theirs = await follow(`/sources/${source.id}/sse`, { authorization: `Bearer ${other.key}` });
    expect(theirs.status).toBe(404);
    expect((await follow(`/sources/${source.id}/sse?last_event_id=x`)).status).toBe(400);
    expect((await follow(`/sources/${source.id}/sse`, { 'last-event-id': 'x' })).status).toBe(400);
    expect((await follow(`/sources/${source.id}/sse?filter={}`)).status).toBe(400);
  });

  test('sends one stream, what its filter accepts, and the chosen fields', async () => {
    const source = await scene.source(ECHO);
    const query = new URLSearchParams({ filter: JSON.stringify({ n: [2] }) });
    const filtered = await follow(`/sources/${source.id}/sse?${query.toString()}`);
    const named = await follow(`/sources/${source.id}/sse?event_name=other&include=event`);
    const errors = await follow(`/sources/${source.id}/sse?event_name=$errors`);
    for (const stream of [filtered, named, errors]) await stream.started();
    for (const body of [{ n: 1 }, { n: 2 }, { event: { n: 3 }, stream: 'other' }])
      await scene.send(source.endpoint, body);
    expect(await filtered.eventsUntil(1)).toHaveLength(1);
    expect(emitted(filtered)).toEqual([{ n: 2 }]);
    const [message] = await named.eventsUntil(1);
    expect(JSON.parse(message?.data ?? '')).toEqual({ event: { n: 3 } });
    expect(errors.events).toEqual([]);
  });

  test('goes on after Last-Event-ID, and tells once of events that are gone', async () => {
    const source = await scene.source(emitter());
    await run(source, { n: 1 }, { n: 2 }, { n: 3 });
    const [third, second, first] = await until('three are stored', async () => {
      const events = await scene.events(source.id);
      return events.length === 3 && events;
    });
    const resumed = await follow(`/sources/${source.id}/sse?last_event_id=${third?.id ?? ''}`, {
      'last-event-id': first?.id ?? '',
    });
    await resumed.eventsUntil(2);
    expect(resumed.messages.map(({ event, id }) => [event, id])).toEqual([
      ['start', third?.id],
      ['', second?.id],
      ['', third?.id],
    ]);
    for (let n = 0; n < 8; n += 1) await run(source, ...Array.from({ length: 20 }, (_, at) => ({ at: n * 20 + at })));
    await until('all are stored', async () => (await scene.events(source.id))[0]?.event.at === 159);
    const late = await follow(`/sources/${source.id}/sse`, { 'last-event-id': second?.id ?? '' });
    await late.eventsUntil(100);
    expect(late.messages.map(({ event }) => event)).toEqual(['start', 'gap', ...Array<string>(100).fill('')]);
    await run(source, { at: 'last' });
    await late.eventsUntil(101);
    expect(new Set(late.events.map(({ id }) => id)).size).toBe(101);
  });

  test('shows the events of a workflow', async () => {
    const me = (await scene.api.get('/users/me')).body.data.id;
    const { id, credential } = await aWorkflow(scene.cloud, me);
    const stream = await follow(`/workflows/${id}/sse`);
    await stream.started();
    const sent = await fetch(`${scene.cloud.ingress}/workflows/${id}/emits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event: { hello: 'there' } }),
    });
    expect(sent.status, await sent.text()).toBeLessThan(300);
    expect(await stream.eventsUntil(1)).toHaveLength(1);
    const { status, body } = await scene.api.post(`/workflows/${id}/sse_tokens`, {});
    expect(status).toBe(200);
    const byToken = await LiveStream.open(body.data.url);
    await byToken.started();
  });

  test('may be read by pages of any origin', async () => {
    const source = await scene.source(emitter());
    const stream = await follow(`/sources/${source.id}/sse`, { origin: 'https://page.example' });
    expect(stream.headers.get('access-control-allow-origin')).toBe('*');
    const preflight = await fetch(`${scene.cloud.base}/sources/${source.id}/sse`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'last-event-id',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('last-event-id');
  });

  test('ends with its first events where the response is gathered', async () => {
    const source = await scene.source(emitter());
    const opened = follow(`/sources/${source.id}/sse`, { 'x-gathered-response': '1', 'last-event-id': '0-0' });
    await until('the poll waits', scene.isBusy);
    await run(source, { n: 1 });
    const poll = await opened;
    await poll.ended();
    expect(poll.text).toMatch(/^retry: 250\n\nevent: start\nid: /);
    expect(emitted(poll)).toEqual([{ n: 1 }]);
    // Its body is an object of the bucket.
    const huge = 'y'.repeat(300_000);
    await run(source, { huge });
    await until('it is stored', async () => (await scene.events(source.id)).length === 2);
    const next = await follow(`/sources/${source.id}/sse`, {
      'x-gathered-response': '1',
      'last-event-id': '0-0',
    });
    await next.ended();
    expect(emitted(next)).toEqual([{ n: 1 }, { huge }]);
  });

  test('has at most 100 readers of one user, and their permits are given back', async () => {
    const source = await scene.source(emitter());
    const user = await aUser(scene.cloud);
    const theirs = scene.api.as(user.key);
    const { body } = await theirs.post('/sources', { component_code: emitter() });
    const open = () => follow(`/sources/${body.data.id}/sse`, { authorization: `Bearer ${user.key}` });
    const streams = await Promise.all(Array.from({ length: 100 }, open));
    for (const stream of streams) await stream.started();
    const refused = await open();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('15');
    await until('the refusal is read', () => refused.text.includes('"too_many_live_streams"'));
    const neighbour = await follow(`/sources/${source.id}/sse`);
    await neighbour.started();
    for (const stream of streams) stream.close();
    await until('a permit is free', async () => (await open()).status === 200);
  });
});

describe('a token', () => {
  const tokenOf = async (source: Deployed, body: object = {}) => {
    const { status, body: response } = await scene.api.post(`/sources/${source.id}/sse_tokens`, body);
    expect(status).toBe(200);
    return response.data as { token: string; url: string; expires_at_ms: number };
  };

  const untilExpired = (url: string) =>
    until('the token has expired', async () => (await LiveStream.open(url)).status === 401);

  test('follows its stream alone, without the key, until it expires', async () => {
    const source = await scene.source(emitter());
    const other = await scene.source(emitter({ name: 'Other' }));
    const before = Date.now();
    const { token, url, expires_at_ms: end } = await tokenOf(source, { ttl_seconds: 600 });
    expect(end - before).toBeGreaterThanOrEqual(600_000);
    expect(url).toBe(`${scene.cloud.base}/sources/${source.id}/sse?token=${encodeURIComponent(token)}`);
    const stream = await LiveStream.open(url);
    await stream.started();
    await run(source, { n: 1 });
    await stream.eventsUntil(1);
    const statusOf = async (path: string) => (await LiveStream.open(`${scene.cloud.base}${path}`)).status;
    expect(await statusOf(`/sources/${other.id}/sse?token=${token}`)).toBe(401);
    expect(await statusOf(`/sources/${source.id}/sse?event_name=$errors&token=${token}`)).toBe(401);
    expect(await statusOf(`/sources/${source.id}/event_summaries?token=${token}`)).toBe(401);
    expect(await statusOf(`/sources/${source.id}/sse?token=lt_wrong`)).toBe(401);
    const api = scene.api.as(token);
    expect((await api.get('/users/me')).status).toBe(401);
    const brief = await tokenOf(source, { ttl_seconds: 1, event_name: '$errors' });
    expect(brief.url).toContain('event_name=%24errors');
    await untilExpired(brief.url);
    for (const ttl_seconds of [0, 86_401, 1.5, 'x']) {
      const { status, body } = await scene.api.post(`/sources/${source.id}/sse_tokens`, { ttl_seconds });
      expect(status).toBe(400);
      expect(body.error).toBe('ttl_seconds must be an integer from 1 to 86400.');
    }
    expect((await scene.api.post('/sources/dc_unknown/sse_tokens', {})).status).toBe(404);
  });

  test('has at most max_streams streams: a further one ends the oldest, which goes on later where it stopped', async () => {
    const source = await scene.source(emitter());
    const { url } = await tokenOf(source, { max_streams: 2 });
    const streams: LiveStream[] = [];
    for (let n = 0; n < 3; n += 1) {
      const stream = await LiveStream.open(url);
      await stream.started();
      streams.push(stream);
    }
    const [first, ...others] = streams;
    await first?.ended();
    expect(first?.text).toMatch(/retry: 15000\n\n$/);
    await run(source, { n: 1 });
    for (const stream of others) await stream.eventsUntil(1);
    const again = await LiveStream.open(url, { 'last-event-id': '0-0' });
    await again.eventsUntil(1);
    for (const max_streams of [0, 101, 1.5, 'x']) {
      const { status, body } = await scene.api.post(`/sources/${source.id}/sse_tokens`, { max_streams });
      expect([status, body.error]).toEqual([400, 'max_streams must be an integer from 1 to 100.']);
    }
  });

  test('cannot have more streams than its maker signed', async () => {
    const source = await scene.source(emitter());
    const { token, url } = await tokenOf(source, { max_streams: 2 });
    const [, text = '', signature = ''] = /^lt_(.*)\.(.*)$/.exec(token) ?? [];
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
    const more = Buffer.from(JSON.stringify({ ...claims, maxStreams: 100 })).toString('base64url');
    expect((await LiveStream.open(url.replace(token, `lt_${more}.${signature}`))).status).toBe(401);
    expect((await LiveStream.open(`${url}&max_streams=100`)).status).toBe(200);
  });

  test('serves twelve readers behind one address: each gets every event, and its replay', async () => {
    const source = await scene.source(emitter());
    const { url } = await tokenOf(source, { max_streams: 12 });
    const open = () => Promise.all(Array.from({ length: 12 }, () => LiveStream.open(url)));
    const tabs = await open();
    for (const tab of tabs) await tab.started();
    await run(source, ...Array.from({ length: 20 }, (_, n) => ({ n, text: 'x'.repeat(3_000) })));
    for (const tab of tabs) await tab.eventsUntil(20);
    const [last] = tabs.map(({ events }) => events[9]?.id ?? '');
    for (const tab of tabs) tab.close();
    await run(source, { n: 20 });
    const again = await Promise.all(
      Array.from({ length: 12 }, () => LiveStream.open(url, { 'last-event-id': last ?? '' })),
    );
    for (const tab of again) {
      await tab.eventsUntil(11);
      expect(emitted(tab).map((event) => (event as { n: number }).n)).toEqual(
        Array.from({ length: 11 }, (_, n) => n + 10),
      );
      expect(tab.text).not.toContain('gap');
    }
  });

  test('and all others together have half of the streams of their user', async () => {
    const user = await aUser(scene.cloud);
    const theirs = scene.api.as(user.key);
    const { body } = await theirs.post('/sources', { component_code: emitter() });
    const path = `/sources/${body.data.id}`;
    const { body: made } = await theirs.post(`${path}/sse_tokens`, { max_streams: 100 });
    const byToken = () => LiveStream.open(made.data.url);
    const byKey = () => follow(`${path}/sse`, { authorization: `Bearer ${user.key}` });
    const tokens: LiveStream[] = [];
    for (let n = 0; n < 55; n += 1) tokens.push(await byToken());
    await until('five have ended', () => tokens.filter(({ isOver }) => isOver).length === 5);
    const keys: LiveStream[] = [];
    for (let n = 0; n < 50; n += 1) keys.push(await byKey());
    expect(new Set([...tokens, ...keys].map(({ status }) => status))).toEqual(new Set([200]));
    expect((await byKey()).status).toBe(429);
    const { body: other } = await theirs.post(`${path}/sse_tokens`, {});
    expect((await LiveStream.open(other.data.url)).status).toBe(429);
    keys.pop()?.close();
    await until('the other token has a stream', async () => (await LiveStream.open(other.data.url)).status === 200);
  });

  test('and its streams end with the source, and within 60 s with the key that made it', async () => {
    const source = await scene.source(emitter());
    const stream = await LiveStream.open((await tokenOf(source)).url);
    await stream.started();
    await scene.api.delete(`/sources/${source.id}`);
    await stream.ended();

    const user = await aUser(scene.cloud);
    const theirs = scene.api.as(user.key);
    const { body } = await theirs.post('/sources', { component_code: emitter() });
    const { body: token } = await theirs.post(`/sources/${body.data.id}/sse_tokens`, {});
    const byToken = await LiveStream.open(token.data.url);
    const byKey = await follow(`/sources/${body.data.id}/sse`, { authorization: `Bearer ${user.key}` });
    await Promise.all([byToken.started(), byKey.started()]);
    await userStore(tableOf(scene.cloud)).rotateKey(user.id, hashOfKey('another key of the user'));
    await Promise.all([byToken, byKey].map((each) => each.ended({ withinMs: 60_000 })));
  });
});

test('the package eventsource follows a source over a restart, and misses nothing', async () => {
  const source = await scene.source(emitter());
  const { data } = (await scene.api.get(`/sources/${source.id}`)).body;
  expect(data.sse_url).toBe(`${scene.cloud.base}/sources/${source.id}/sse`);
  const seen: unknown[] = [];
  let starts = 0;
  const client = new EventSource(data.sse_url, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...authorization() } }),
  });
  onTestFinished(() => {
    client.close();
  });
  client.onmessage = (message) => seen.push(JSON.parse(message.data as string).event.n);
  client.addEventListener('start', () => (starts += 1));
  await until('it is open', () => starts === 1);
  await run(source, { n: 1 });
  await until('the first comes', () => seen.length === 1);
  await scene.cloud.restart();
  await run(source, { n: 2 });
  await until('the second comes', () => seen.length === 2);
  await until('it is open again', () => starts === 2);
  expect(seen).toEqual([1, 2]);
});
