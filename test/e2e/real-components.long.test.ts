import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileServer, serveFiles } from '../support/files-over-http.ts';
import { PIPEDREAM } from '../support/pipedream.ts';
import { type Deployed, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { trustRegistry } from '../support/registry-certificates.ts';
import { closeServer } from '../support/close-server.ts';

trustRegistry();

/** Unmodified third-party components from the npm package pipedream@0.2.2 (MIT), deployed by address. */
let scene: Scene;
let files: FileServer;
beforeAll(async () => {
  files = await serveFiles(PIPEDREAM);
  scene = await Scene.open();
});
afterAll(async () => {
  await scene.close();
  await files.stop();
});

const deploy = (path: string, props: Record<string, unknown> = {}): Promise<Deployed> =>
  scene.deploy({ component_url: `${files.origin}/${path}`, configured_props: props });
const run = (id: string, event: unknown = {}) => scene.api.post(`/sources/${id}/run`, event);

interface Item {
  guid: string;
  title: string;
}

/** A feed that a test changes. */
async function startFeed() {
  let items: Item[] = [];
  const server = createServer((_, response) => {
    const entries = items.map(
      ({ guid, title }, index) =>
        `<item><guid isPermaLink="false">${guid}</guid><title>${title}</title><link>http://feed.test/${guid}</link><pubDate>${new Date(Date.UTC(2026, 0, 1, 0, items.length - index)).toUTCString()}</pubDate></item>`,
    );
    response.writeHead(200, { 'content-type': 'application/rss+xml' });
    response.end(
      `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><link>http://feed.test</link><description>D</description>${entries.join('')}</channel></rss>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.xml`,
    show: (next: Item[]) => (items = next),
    stop: () => closeServer(server),
  };
}

test('the RSS source emits the new items of a feed once each, across a restart of the service', async () => {
  const feed = await startFeed();
  const item = (n: number): Item => ({ guid: `guid-${n}`, title: `Title ${n}` });
  feed.show([item(2), item(1)]);
  const source = await deploy('components/rss/sources/new-item-in-feed/new-item-in-feed.js', {
    url: feed.url,
  });
  expect(source.data.configured_props).toEqual({
    url: feed.url,
    timer: { interval_seconds: 900, cron: null },
  });
  const hook = await scene.webhook();
  await scene.subscribe(source.id, hook.id);
  const titles = async () => (await scene.events(source.id)).map(({ event }) => event.title as string).reverse();
  const poll = async (expected: string[]) => {
    expect((await run(source.id)).status).toBe(200);
    let shown: string[] = [];
    await until(`${expected.length} items`, async () => (shown = await titles()).length >= expected.length);
    expect(shown).toEqual(expected);
  };

  await poll(['Title 1', 'Title 2']);
  feed.show([item(3), item(2), item(1)]);
  await poll(['Title 1', 'Title 2', 'Title 3']);
  await scene.cloud.restart();
  feed.show([item(5), item(4), item(3), item(2)]);
  await poll(['Title 1', 'Title 2', 'Title 3', 'Title 4', 'Title 5']);
  const [newest] = await scene.events(source.id);
  expect(newest?.metadata).toMatchObject({ id: 'guid-5', summary: 'Title 5' });
  await until(
    'all are delivered',
    () => new Set(hook.receiver.bodies.map((body) => (body as { guid: string }).guid)).size === 5,
  );
  await feed.stop();
});

describe('http', () => {
  test('new-requests answers as configured and emits the whole request, or the body only', async () => {
    const source = await deploy('components/http/sources/new-requests/new-requests.js', {
      resStatusCode: '202',
      resBody: 'got it',
      resContentType: 'text/plain',
    });
    const response = await fetch(`${source.endpoint}/a/b?x=1&x=2&y=3`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'X-Some': 'thing' },
      body: '{"k":["v"]}',
    });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      202,
      'text/plain',
      'got it',
    ]);
    const [event] = await scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(event?.event).toMatchObject({
      method: 'PUT',
      path: '/a/b',
      query: { x: ['1', '2'], y: '3' },
      headers: { 'x-some': 'thing' },
      body: { k: ['v'] },
      bodyRaw: '{"k":["v"]}',
    });
    expect(event?.metadata.summary).toBe('PUT /a/b');
    await scene.api.put(`/sources/${source.id}`, { configured_props: { emitBodyOnly: true } });
    await scene.send(source.endpoint, { only: 'body' });
    expect((await scene.eventsOf(source.id, 2))[0]?.event).toEqual({ only: 'body' });
  });

  test('new-requests-payload-only emits the body', async () => {
    const source = await deploy('components/http/sources/new-requests-payload-only/new-requests-payload-only.js');
    const response = await scene.send(source.endpoint, { a: 1 });
    expect(await response.json()).toEqual({ a: 1 });
    expect((await scene.eventsOf(source.id, 1))[0]?.event).toEqual({ body: { a: 1 } });
  });
});

describe('interfaces/http/examples', () => {
  const example = (name: string, props = {}) => deploy(`interfaces/http/examples/${name}.js`, props);

  test('batch-requests collects requests in its db and emits them together', async () => {
    const source = await example('batch-requests');
    for (const type of ['start', 'one', 'two', 'end'])
      expect((await scene.send(source.endpoint, { type })).status).toBe(200);
    const [batch] = await scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(batch?.event.raw_event.map(({ body }: { body: { type: string } }) => body.type)).toEqual(['one', 'two']);
    expect(batch?.metadata.summary).toBe('2 events');
  });

  test('http-hello-world', async () => {
    const source = await example('http-hello-world');
    expect(await (await scene.send(source.endpoint, { a: 1 })).text()).toBe('Hello world!');
    expect((await scene.eventsOf(source.id, 1))[0]?.event).toMatchObject({ body: { a: 1 } });
  });

  test('http-custom-status-code', async () => {
    const source = await example('http-custom-status-code', { status: '418' });
    expect((await scene.send(source.endpoint)).status).toBe(418);
    expect((await scene.eventsOf(source.id, 1, { expand: 'event' }))[0]?.event).toMatchObject({
      status: '418',
      event: { method: 'POST' },
    });
  });

  test('http-custom-response', async () => {
    const source = await example('http-custom-response');
    const response = await scene.send(source.endpoint, { a: 1 });
    expect([response.status, response.headers.get('x-my-custom-header')]).toEqual([200, 'test']);
    expect(await response.json()).toMatchObject({ method: 'POST', body: { a: 1 } });
    await scene.eventsOf(source.id, 1);
  });

  test('http-db-example counts, one request after the other', async () => {
    const source = await example('http-db-example');
    for (let n = 0; n < 3; n += 1) expect((await scene.send(source.endpoint)).status).toBe(200);
    expect((await scene.eventsOf(source.id, 3)).map(({ event }) => event.requestCount)).toEqual([3, 2, 1]);
  });

  test('http-require-secret, with a package from npm', async () => {
    const source = await example('http-require-secret', { secret: 's3cret' });
    const ask = (secret: string) => fetch(source.endpoint, { method: 'POST', headers: { secret } });
    expect((await ask('wrong')).status).toBe(400);
    expect((await ask('s3cret')).status).toBe(200);
  });
});

describe('examples', () => {
  const logged = async (id: string) =>
    (await scene.eventsOf(id, 1, { event_name: '$logs' }))[0]?.event.lines.map(
      ({ msg }: { msg: string }) => msg,
    ) as string[];

  test('emit, user-input-prop, async-options emit their documented events', async () => {
    const emit = await deploy('examples/emit.js');
    await run(emit.id);
    expect((await scene.eventsOf(emit.id, 1))[0]?.event).toEqual({ message: 'hello world!' });
    for (const path of ['examples/user-input-prop.js', 'examples/async-options.js']) {
      const source = await deploy(path, { msg: 'This is option 1' });
      await run(source.id);
      expect((await scene.eventsOf(source.id, 1))[0]?.event).toEqual({ raw_event: 'This is option 1' });
    }
    const component = await scene.api.post('/components', {
      component_url: `${files.origin}/examples/async-options.js`,
    });
    expect(component.body.data.configurable_props[0]).toMatchObject({
      name: 'msg',
      type: 'string',
      label: 'Message',
      remoteOptions: true,
    });
  });

  test('http answers and logs', async () => {
    const source = await deploy('examples/http.js');
    expect(await (await scene.send(source.endpoint)).json()).toEqual({ msg: 'hello world!' });
    expect((await logged(source.id))[0]).toContain('POST');
  });

  test('prop-definition, timer-interface-cron and timer-interface-interval log', async () => {
    const props = await deploy('examples/prop-definition.js', { url: 'http://feed.test' });
    const cron = await deploy('examples/timer-interface-cron.js');
    const interval = await deploy('examples/timer-interface-interval.js');
    expect(cron.data.configured_props.timer).toEqual({ interval_seconds: null, cron: '0 0 * * *' });
    expect(interval.data.configured_props.timer).toEqual({ interval_seconds: 86_400, cron: null });
    for (const { id } of [props, cron, interval]) await run(id);
    expect(await logged(props.id)).toEqual(['http://feed.test']);
    expect(await logged(cron.id)).toEqual(['hello world!']);
    expect(await logged(interval.id)).toEqual(['hello world!']);
  });
});
