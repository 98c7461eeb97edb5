import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { blocksOf } from '../../support/pages/read-page.ts';
import { Receiver } from '../../support/receiver.ts';
import { type Deployed, Scene, type Summary } from '../../support/scene.ts';
import { until } from '../../support/until.ts';
import { trustRegistry } from '../../support/registry-certificates.ts';

trustRegistry();

/* The examples of docs/examples, each against a stand-in of its upstream. */

let scene: Scene;
let upstream: Receiver;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  upstream = await Receiver.start();
});
afterEach(() => upstream.stop());

/** The upstream answers every request with this. */
function serve(body: string | object, headers: Record<string, string> = {}): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  upstream.respond = () => ({ status: 200, headers, body: text });
}

const create = (file: string, props: object = {}): Promise<Deployed> =>
  scene.source(readFileSync(`docs/examples/${file}`, 'utf8'), { configured_props: props });

/** Runs a source and waits until the run is done. */
async function run({ id }: Deployed, event?: object): Promise<void> {
  const { status, text } = await scene.api.post(`/sources/${id}/run`, event);
  expect(status, text).toBe(200);
  await until('the run', async () => (await scene.isThrough()) && !scene.isBusy());
}

/** Summaries and data of the events, oldest first. A source that failed has none. */
async function emitted({ id }: Deployed): Promise<Summary[]> {
  expect(await scene.events(id, { event_name: '$errors' })).toEqual([]);
  return (await scene.events(id, { expand: 'event' })).reverse();
}
const summariesOf = async (source: Deployed) => (await emitted(source)).map(({ metadata }) => metadata.summary);
const dataOf = async (source: Deployed): Promise<unknown[]> =>
  (await emitted(source)).map(({ event }) => event as unknown);

const FILES = readdirSync('docs/examples').filter((name) => name.endsWith('.mjs'));
const PARTS_OF_THE_TOUR = ['greeting.mjs', 'playground.mjs'];

test('the table lists every example, and the props that a source needs', async () => {
  const table = readFileSync('docs/examples/README.md', 'utf8');
  const listed = [...table.matchAll(/^\| \[`([\w.-]+)`\].*\| (.*?) *\|$/gm)].map(([, file = '', props = '']) => ({
    file,
    props: (props.match(/[\w-]+/g) ?? []).sort(),
  }));
  expect(listed.map(({ file }) => file)).toEqual(FILES.filter((name) => !PARTS_OF_THE_TOUR.includes(name)));
  for (const { file, props } of listed) {
    const code = readFileSync(`docs/examples/${file}`, 'utf8');
    const { body, text } = await scene.api.post('/components', { component_code: code });
    expect(body.warnings, text).toBeUndefined();
    expect(body.data.key, text).toBe(file.replace('.mjs', ''));
    const needed = (body.data.configurable_props as { name: string; type: string; optional?: boolean }[])
      .filter((prop) => !prop.type.startsWith('$.') && prop.optional !== true && !('default' in prop))
      .map(({ name }) => name);
    expect(needed.sort(), file).toEqual(props);
  }
});

test('the command of the page creates a source', async () => {
  const [block] = blocksOf('docs/examples/README.md');
  const [, ...argv] = block?.text.trim().split(' ') ?? [];
  expect(argv.shift()).toBe('tributary');
  const env = { TRIBUTARY_URL: scene.cloud.origin, TRIBUTARY_API_KEY: scene.cloud.key };
  expect(await runCommand(argv, { env, cwd: process.cwd() })).toMatchObject({ code: 0, error: '' });
});

describe('polling', () => {
  test('rss emits each item of an RSS feed once, oldest first', async () => {
    const item = (n: number) =>
      `<item><title>Post ${n} &amp; more</title><link>https://blog.example/${n}</link><guid isPermaLink="false">g${n}</guid><pubDate>Sun, 0${n} Nov 2026 10:00:00 GMT</pubDate></item>`;
    const feed = (...items: string[]) =>
      `<?xml version="1.0"?><rss version="2.0"><channel><title>Blog</title>${items.join('')}</channel></rss>`;
    serve(feed(item(2), item(1)));
    const source = await create('rss.mjs', { url: upstream.url });
    await run(source);
    await run(source);
    serve(feed(item(3), item(2), item(1)));
    await run(source);
    expect(await summariesOf(source)).toEqual(['Post 1 & more', 'Post 2 & more', 'Post 3 & more']);
    expect(await dataOf(source)).toMatchObject([1, 2, 3].map((n) => ({ link: `https://blog.example/${n}` })));
  });

  test('rss emits each entry of an Atom feed', async () => {
    serve(`<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:1</id><title type="html">One</title>
      <link rel="self" href="https://a.example/self"/><link rel="alternate" href="https://a.example/1"/><updated>2026-11-01T10:00:00Z</updated></entry></feed>`);
    const source = await create('rss.mjs', { url: upstream.url });
    await run(source);
    expect(await emitted(source)).toMatchObject([
      {
        event: { link: 'https://a.example/1' },
        metadata: { id: 'urn:1', summary: 'One', ts: Date.UTC(2026, 10, 1, 10) },
      },
    ]);
  });

  test('json-changes emits the members that changed, and takes a token', async () => {
    serve({ price: 10, stock: 3, seen: 1 });
    const source = await create('json-changes.mjs', {
      url: upstream.url,
      members: ['price', 'stock'],
      token: 't1',
    });
    await run(source);
    serve({ price: 10, stock: 3, seen: 2 });
    await run(source);
    expect(await dataOf(source)).toEqual([]);
    serve({ price: 12, stock: 3, seen: 3 });
    await run(source);
    expect(await dataOf(source)).toEqual([{ url: upstream.url, changes: [{ name: 'price', before: 10, after: 12 }] }]);
    expect(upstream.received.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer t1'));
  });

  test('github-releases emits each release once, asks for changes only, and leaves out drafts and pre-releases', async () => {
    const release = (id: number, more: object = {}) => ({
      id,
      tag_name: `v${id}`,
      draft: false,
      prerelease: false,
      published_at: `2026-11-0${id}T10:00:00Z`,
      ...more,
    });
    serve([release(3, { prerelease: true }), release(2), release(1)], { etag: '"a"' });
    const source = await create('github-releases.mjs', {
      repository: 'nodejs/node',
      api: new URL(upstream.url).origin,
    });
    await run(source);
    upstream.respond = (_, { headers }) => ({ status: headers['if-none-match'] === '"a"' ? 304 : 500 });
    await run(source);
    serve([release(4), release(2), release(1)], { etag: '"b"' });
    await run(source);
    expect(await summariesOf(source)).toEqual(['nodejs/node v1', 'nodejs/node v2', 'nodejs/node v4']);
    expect(upstream.received[0]?.url).toBe('/repos/nodejs/node/releases?per_page=50');
  });

  test('hacker-news emits each story once, with its discussion', async () => {
    const hit = (objectID: string, more: object = {}) => ({
      objectID,
      title: `Story ${objectID}`,
      url: null,
      author: 'a',
      points: 150,
      created_at_i: 1763830000 + Number(objectID),
      ...more,
    });
    serve({ hits: [hit('2', { url: 'https://b.example' }), hit('1')] });
    const source = await create('hacker-news.mjs', { topic: 'sqlite', api: new URL(upstream.url).origin });
    await run(source);
    await run(source);
    const discussion = 'https://news.ycombinator.com/item?id=1';
    expect(await dataOf(source)).toMatchObject([
      { id: '1', url: discussion, discussion },
      { id: '2', url: 'https://b.example' },
    ]);
    const query = new URL(upstream.received[0]?.url ?? '', 'http://x').searchParams;
    expect([query.get('query'), query.get('numericFilters')]).toEqual(['sqlite', 'points>=100']);
  });

  test('sitemap emits pages that are new or changed after the first look', async () => {
    const map = (...pages: [string, string][]) =>
      `<urlset>${pages.map(([loc, at]) => `<url><loc>https://s.example/${loc}</loc><lastmod>${at}</lastmod></url>`).join('')}</urlset>`;
    serve(map(['a', '2026-11-01'], ['b', '2026-11-02']));
    const source = await create('sitemap.mjs', { url: upstream.url });
    await run(source);
    expect(await summariesOf(source)).toEqual([]);
    serve(map(['a', '2026-11-03T10:00:00+01:00'], ['b', '2026-11-02'], ['c', '2026-11-02']));
    await run(source);
    await run(source);
    expect(await summariesOf(source)).toEqual(['https://s.example/c', 'https://s.example/a']);
  });

  test('csv-rows emits each new row, also with quotes and line breaks', async () => {
    serve('id,note\r\n1,"a, b"\r\n2,"say ""hi""\nthere"\r\n');
    const source = await create('csv-rows.mjs', { url: upstream.url, idColumn: 'id' });
    await run(source);
    serve('id,note\n1,changed\n2,x\n3,last');
    await run(source);
    expect(await dataOf(source)).toEqual([
      { id: '1', note: 'a, b' },
      { id: '2', note: 'say "hi"\nthere' },
      { id: '3', note: 'last' },
    ]);
  });

  test('calendar emits an event once, some minutes before it begins, in its time zone', async () => {
    const event = (uid: string, start: string) =>
      `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART${start}\r\nSUMMARY:Meeting\\, a long\r\n  one\r\nEND:VEVENT\r\n`;
    serve(
      `BEGIN:VCALENDAR\r\n${event('utc', ':20261122T100500Z')}${event('berlin', ';TZID=Europe/Berlin:20261122T110700')}${event('later', ':20261122T110000Z')}${event('past', ':20261122T095900Z')}END:VCALENDAR\r\n`,
    );
    const source = await create('calendar.mjs', { url: upstream.url });
    const timestamp = Date.UTC(2026, 10, 22, 10) / 1_000;
    await run(source, { timestamp });
    await run(source, { timestamp: timestamp + 60 });
    expect(await dataOf(source)).toEqual([
      { uid: 'utc', summary: 'Meeting, a long one', location: '', begins: '2026-11-22T10:05:00.000Z' },
      { uid: 'berlin', summary: 'Meeting, a long one', location: '', begins: '2026-11-22T10:07:00.000Z' },
    ]);
  });
});

describe('receiving', () => {
  const post = async ({ endpoint }: Deployed, body: string, headers: Record<string, string>) =>
    (
      await fetch(endpoint, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
    ).status;
  const hmac = (key: string, text: string) => createHmac('sha256', key).update(text);

  test('stripe-webhook emits signed events once, and refuses wrong and old signatures', async () => {
    const secret = 'whsec_test';
    const source = await create('stripe-webhook.mjs', { secret });
    const body = JSON.stringify({ id: 'evt_1', type: 'invoice.paid', created: 1763830000 });
    const signed = (key: string, at = Math.floor(Date.now() / 1_000)) => ({
      'stripe-signature': `t=${at},v1=00,v1=${hmac(key, `${at}.${body}`).digest('hex')}`,
    });
    expect(await post(source, body, signed(secret))).toBe(200);
    expect(await post(source, body, signed(secret))).toBe(200);
    expect(await post(source, body, signed('other'))).toBe(400);
    expect(await post(source, body, signed(secret, 1763830000))).toBe(400);
    expect(await post(source, body, {})).toBe(400);
    expect(await dataOf(source)).toEqual([JSON.parse(body)]);
  });

  test('hmac-webhook emits signed requests of GitHub and, with other props, of Shopify', async () => {
    const body = '{"action":"opened"}';
    const github = await create('hmac-webhook.mjs', { secret: 's1' });
    const headers = {
      'x-hub-signature-256': `sha256=${hmac('s1', body).digest('hex')}`,
      'x-github-delivery': 'd1',
    };
    expect(await post(github, body, headers)).toBe(200);
    expect(await post(github, body, headers)).toBe(200);
    expect(await post(github, `${body} `, headers)).toBe(401);
    expect(await dataOf(github)).toMatchObject([{ body: { action: 'opened' } }]);

    const props = {
      secret: 's2',
      header: 'X-Shopify-Hmac-Sha256',
      prefix: '',
      encoding: 'base64',
      idHeader: 'X-Shopify-Webhook-Id',
    };
    const shopify = await create('hmac-webhook.mjs', props);
    expect(await post(shopify, body, { 'x-shopify-hmac-sha256': hmac('s2', body).digest('base64') })).toBe(200);
    expect(await dataOf(shopify)).toHaveLength(1);
  });

  test('heartbeat emits once when requests stop, and once when they are back', async () => {
    const source = await create('heartbeat.mjs', { minutes: 5 });
    // With an empty method it is an event of its own, not the body of a request.
    const minutes = (count: number) => ({
      ...{ method: '', headers: {} },
      timestamp: Math.floor(Date.now() / 1_000) + count * 60,
    });
    await fetch(source.endpoint);
    await run(source, minutes(4));
    expect(await dataOf(source)).toEqual([]);
    await run(source, minutes(6));
    await run(source, minutes(7));
    await fetch(source.endpoint);
    await fetch(source.endpoint);
    await until('both', async () => (await emitted(source)).length === 2);
    expect(await dataOf(source)).toMatchObject([{ state: 'missing' }, { state: 'back' }]);
  });
});
