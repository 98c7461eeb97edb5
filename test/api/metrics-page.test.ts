import { afterAll, beforeAll, expect, test } from 'vitest';
import { LiveStream } from '../support/live-stream.ts';
import { PrometheusPage } from '../support/prometheus-text.ts';
import { NO_RETRY } from '../support/receiver.ts';
import { PASS, RELAY, Scene } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';

let reads = 0;
let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open({ onConsumed: (_table, _operation, { read = 0 }) => void (reads += read) });
});
afterAll(() => scene.close());

const scrape = (key: string | null = scene.cloud.key, init: RequestInit = {}) =>
  fetch(`${scene.cloud.origin}/metrics`, { headers: key === null ? {} : { authorization: `Bearer ${key}` }, ...init });
const page = async () => new PrometheusPage(await (await scrape()).text());

test('the page needs the key of the operator', async () => {
  const user = await aUser(scene.cloud);
  for (const [key, message] of [
    [null, /^Send your API key/],
    ['wrong', /^This API key is not valid/],
    [user.key, /^This is the API key of a user: .* Send the API key of the user admin\.$/],
  ] as const) {
    const refused = await scrape(key);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      code: 'unauthenticated',
      error: expect.stringMatching(message) as string,
      request_id: expect.any(String) as string,
    });
  }
});

test('a key of the operator with the scope metrics opens the page and nothing else', async () => {
  const keyWith = async (...scopes: string[]): Promise<string> =>
    (await scene.api.post('/keys', { name: 'a key', scopes })).body.data.api_key;
  const [metrics, read] = [await keyWith('metrics'), await keyWith('read', 'send', 'manage')];
  expect((await scrape(metrics)).status).toBe(200);
  expect((await scene.api.as(metrics).get('/users/me')).status).toBe(403);
  const refused = await scrape(read);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    code: 'missing_scope',
    error: 'This path needs the scope metrics, which your API key lacks.',
    details: [{ path: 'scope', message: 'metrics is missing' }],
  });
});

test('the page is text for GET alone, at the origin of the API alone', async () => {
  for (const path of ['/metrics', '/metrics/']) {
    const { status, headers } = await fetch(scene.cloud.origin + path, {
      headers: { authorization: `bearer ${scene.cloud.key}` },
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  }
  for (const method of ['POST', 'HEAD', 'DELETE']) {
    const refused = await scrape(scene.cloud.key, { method, headers: { authorization: `Bearer ${scene.cloud.key}` } });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET']);
  }
  expect((await fetch(`${scene.cloud.ingress}/metrics`)).status).toBe(404);
});

test('the numbers move by exactly what happened', async () => {
  const source = await scene.source(PASS);
  const hook = await scene.webhook();
  await scene.subscribe(source.id, hook.id);
  hook.receiver.respond = (index) => (index === 1 ? { status: 503, headers: NO_RETRY } : { status: 200 });
  const before = await page();
  for (let n = 0; n < 3; n += 1) {
    expect((await scene.api.post(`/sources/${source.id}/run`, { n })).status).toBe(200);
    await until('the event is sent', () => hook.receiver.received.length === n + 1);
  }
  const grown = (now: PrometheusPage, name: string, labels: Record<string, string> = {}) =>
    now.value(`tributary_${name}`, labels) - before.value(`tributary_${name}`, labels);
  const after = await until('all attempts are counted', async () => {
    const now = await page();
    return grown(now, 'delivery_attempts_total') >= 3 && grown(now, 'events_total') >= 3 && now;
  });
  expect({
    runs: grown(after, 'runs_total'),
    events: grown(after, 'events_total'),
    delivered: grown(after, 'delivery_attempts_total', { outcome: 'delivered', status: '2xx' }),
    failed: grown(after, 'delivery_attempts_total', { outcome: 'failed', status: '5xx' }),
    attempts: grown(after, 'delivery_attempts_total'),
    errors: grown(after, 'run_errors_total'),
  }).toEqual({ runs: 3, events: 3, delivered: 2, failed: 1, attempts: 3, errors: 0 });
  const countOf = (now: PrometheusPage, name: string) => now.histogram(`tributary_${name}_seconds`).count;
  expect(countOf(after, 'delivery_latency') - countOf(before, 'delivery_latency')).toBe(2);
  expect(countOf(after, 'run_duration') - countOf(before, 'run_duration')).toBe(3);
  expect(countOf(after, 'delivery_attempt_duration') - countOf(before, 'delivery_attempt_duration')).toBe(3);
  // The failed delivery waits for its next attempt.
  expect(after.value('tributary_queue_messages', { queue: 'retries' })).toBe(1);
  expect(scene.cloud.logs.filter(({ text }) => text.includes('"message":"counts"'))).toEqual([]);
});

test('the page has the four queues by the names of docs/metrics.md, and says that the service is healthy', async () => {
  const now = await page();
  const queues = now.samples.flatMap(({ name, labels }) => (name === 'tributary_dead_letters' ? labels['queue'] : []));
  expect(queues).toEqual(['runs', 'deliveries', 'retries', 'timers']);
  expect(now.value('tributary_dead_letters')).toBe(0);
  expect(now.value('tributary_healthy')).toBe(1);
});

/** Requests whose time is not counted, because they were live streams. */
function untimed(now: PrometheusPage): number {
  const { count } = now.histogram('tributary_http_request_duration_seconds', { api: 'api' });
  return now.value('tributary_http_requests_total', { api: 'api' }) - count;
}

test('a live stream counts while it is open, and its time is not that of a request', async () => {
  const before = untimed(await page());
  const source = await scene.source(RELAY);
  const streams = async () => (await page()).value('tributary_live_streams');
  expect(await streams()).toBe(0);
  const url = `${scene.cloud.base}/sources/${source.id}/sse`;
  const stream = await LiveStream.open(url, { authorization: `Bearer ${scene.cloud.key}` });
  expect(await streams()).toBe(1);
  stream.close();
  await until('the stream has ended', async () => (await streams()) === 0);
  expect(untimed(await page()) - before).toBe(1);
});

test('pages that are read during load are whole: counters never fall, and buckets add up to the requests', async () => {
  const source = await scene.source(PASS);
  const streams = untimed(await page());
  let isOver = false;
  const load = Promise.all(Array.from({ length: 200 }, () => scene.api.get(`/sources/${source.id}`))).finally(
    () => (isOver = true),
  );
  let last = 0;
  do {
    const now = await page();
    const total = now.value('tributary_http_requests_total', { api: 'api' });
    const { count, buckets } = now.histogram('tributary_http_request_duration_seconds', { api: 'api' });
    expect(buckets.get('+Inf')).toBe(count);
    expect(untimed(now)).toBe(streams);
    expect(total).toBeGreaterThan(last);
    last = total;
  } while (!isOver);
  await load;
});

test('a page reads no more of the table than the key, its user and its list of keys', async () => {
  await page();
  const before = reads;
  for (let n = 0; n < 10; n += 1) await page();
  expect(reads - before).toBeLessThanOrEqual(30);
});
