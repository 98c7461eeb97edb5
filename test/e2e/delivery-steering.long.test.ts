import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gate } from '../support/gate.ts';
import type { Received } from '../support/receiver.ts';
import { ECHO, type Hook, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

async function echoTo() {
  const [source, hook] = [await scene.source(ECHO), await scene.webhook()];
  await scene.subscribe(source.id, hook.id);
  return {
    hook,
    source: source.id,
    send: async (body: unknown) => void (await scene.send(source.endpoint, body)),
  };
}
const put = (hook: Hook, body: object) => scene.api.put(`/webhooks/${hook.id}`, body);
const webhook = async (hook: Hook) => (await scene.api.get(`/webhooks/${hook.id}`)).body.data;
const list = async (hook: Hook, query: Record<string, string | number> = {}) =>
  (await scene.api.get(`/webhooks/${hook.id}/deliveries`, { limit: 100, ...query })).body.data;
const received = (hook: Hook, count: number) =>
  until(`${count} requests`, () => hook.receiver.received.length >= count && hook.receiver.received);
const listed = (hook: Hook, status: string, count = 1) =>
  until(`${count} ${status}`, async () => {
    const found = await list(hook, { status });
    return found.length >= count && found;
  });
const verify = (secret: string, { body, headers }: Received) =>
  new Verifier(secret).verify(body, headers as Record<string, string>);

describe('headers of a webhook', () => {
  test('are sent with every attempt from the PUT on, are shown to the owner, and are replaced whole', async () => {
    const { hook, send } = await echoTo();
    expect((await webhook(hook)).headers).toEqual({});
    const headers = { 'X-Tenant': 'a b', Authorization: 'Bearer token' };
    const { body } = await put(hook, { headers });
    expect(body.data.headers).toEqual(headers);
    await send({ n: 1 });
    const [first] = await received(hook, 1);
    expect(first?.headers).toMatchObject({ 'x-tenant': 'a b', authorization: 'Bearer token' });
    verify(hook.secret, first ?? expect.fail());
    await put(hook, { headers: { cookie: 'c=1' } });
    expect((await webhook(hook)).headers).toEqual({ cookie: 'c=1' });
    await send({ n: 2 });
    const [, second] = await received(hook, 2);
    expect(second?.headers).toMatchObject({ cookie: 'c=1' });
    expect(second?.headers['x-tenant']).toBeUndefined();
    await put(hook, { headers: null });
    expect((await webhook(hook)).headers).toEqual({});
  });

  test('come with POST too; a wrong one is 400 and named', async () => {
    const { body } = await scene.api.post('/webhooks', {
      url: 'https://a.example',
      headers: { a: '1' },
      rate_limit: 5,
    });
    expect(body.data).toMatchObject({ headers: { a: '1' }, rate_limit: 5 });
    const refused = await scene.api.put(`/webhooks/${body.data.id}`, { headers: { 'Content-Length': '5' } });
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'headers.Content-Length']);
  });
});

describe('PUT /webhooks/{id}', () => {
  test.each([
    [{ secret: 'x' }, /url, name, description, active, headers, rate_limit, retry_seconds, ordered, format, target/],
    [{ name: 'n', retries: 3 }, /no field retries.*url, name/],
    [{}, /is required/],
    [{ url: null }, /url/],
    [{ active: null }, /active/],
    [{ active: 'true' }, /active/],
    [{ rate_limit: 0 }, /rate_limit/],
    [{ retry_seconds: [0] }, /retry_seconds/],
    [{ rate_limit: 1_001 }, /rate_limit/],
    [{ rate_limit: 1.5 }, /rate_limit/],
    [{ format: 'xml' }, /format must be one of event, cloudevents, slack, discord, teams/],
    [{ format: null }, /format/],
    [{ headers: [] }, /headers/],
  ])('%j is 400', async (body, message) => {
    const hook = await scene.webhook();
    const response = await put(hook, body);
    expect([response.status, response.body.error]).toEqual([400, expect.stringMatching(message) as string]);
  });

  test('clears with null what may be cleared; updated_at moves only when something changes', async () => {
    const hook = await scene.webhook();
    const { body } = await put(hook, { name: 'n', description: 'd', rate_limit: 7, headers: { a: '1' } });
    expect(body.data).toMatchObject({ name: 'n', description: 'd', rate_limit: 7, headers: { a: '1' } });
    const before = await webhook(hook);
    await until('a second later', () => Math.floor(Date.now() / 1_000) > before.updated_at);
    await put(hook, { name: 'n', rate_limit: 7, headers: { a: '1' }, active: true });
    expect(await webhook(hook)).toEqual(before);
    await put(hook, { name: null, description: null, rate_limit: null, headers: null });
    const after = await webhook(hook);
    expect(after).toMatchObject({ name: null, description: null, rate_limit: null, headers: {} });
    expect(after.updated_at).toBeGreaterThan(before.updated_at);
  });
});

describe('a secret rotation', () => {
  test('makes both secrets sign, newest first; a third drops the oldest; revoke ends all others at once', async () => {
    const { hook, send } = await echoTo();
    const rotate = async (query: Record<string, string> = {}): Promise<string> => {
      const { status, body } = await scene.api.post(`/webhooks/${hook.id}/secret`, undefined, { query });
      expect([status, body.data.id]).toEqual([200, hook.id]);
      return body.data.secret;
    };
    const signed = async (n: number) => {
      await send({ n });
      return (await received(hook, n)).at(-1) ?? expect.fail();
    };
    const second = await rotate();
    const both = await signed(1);
    verify(hook.secret, both);
    verify(second, both);
    expect(both.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    const [newest = ''] = String(both.headers['webhook-signature']).split(' ');
    verify(second, { ...both, headers: { ...both.headers, 'webhook-signature': newest } });
    const third = await rotate();
    const next = await signed(2);
    verify(second, next);
    verify(third, next);
    expect(() => verify(hook.secret, next)).toThrow();
    const last = await rotate({ revoke: 'true' });
    const alone = await signed(3);
    verify(last, alone);
    expect(() => verify(third, alone)).toThrow();
    expect(JSON.stringify(await webhook(hook))).not.toContain('whsec_');
  });
});

describe('POST /webhooks/{id}/test', () => {
  test('makes one signed attempt, also of an inactive webhook, and logs it without changing its health', async () => {
    const hook = await scene.webhook();
    await put(hook, { active: false });
    const before = await webhook(hook);
    hook.receiver.respond = (index) => (index === 0 ? { status: 200, body: 'thanks' } : { status: 418, body: 'no' });
    const test = async (body?: object) => (await scene.api.post(`/webhooks/${hook.id}/test`, body)).body.data;
    expect(await test()).toEqual({
      outcome: 'delivered',
      status: 200,
      ms: expect.any(Number) as number,
      answer: 'thanks',
      response_headers: expect.arrayContaining([{ name: 'date', value: expect.any(String) as string }]) as object[],
      reason: null,
    });
    expect(await test({ a: 1 })).toMatchObject({ outcome: 'rejected', status: 418, answer: 'no' });
    const [first, second] = hook.receiver.received;
    expect([first?.body, second?.body]).toEqual(['{"test":true}', '{"a":1}']);
    verify(hook.secret, first ?? expect.fail());
    expect(first?.headers).toMatchObject({
      'x-tributary-emitter': hook.id,
      'x-tributary-event-name': '$test',
    });
    expect(first?.headers['x-tributary-event-id']).toBeUndefined();
    expect(first?.headers['webhook-id']).not.toBe(second?.headers['webhook-id']);
    const logged = await list(hook);
    expect(logged).toMatchObject([
      {
        status: 'failed',
        emitter_id: null,
        event_id: null,
        event_name: '$test',
        attempts: 1,
        next_attempt_ms: null,
      },
      { status: 'delivered', emit_id: first?.headers['webhook-id'] },
    ]);
    expect(await list(hook, { event_name: '$test' })).toHaveLength(2);
    const { attempt_log: attempts } = (await scene.api.get(`/webhooks/${hook.id}/deliveries/${logged[1].id}`)).body
      .data;
    expect(attempts).toMatchObject([{ attempt: 1, answer: 'thanks' }]);
    expect(await webhook(hook)).toEqual(before);
    const again = await scene.api.post(`/webhooks/${hook.id}/deliveries/${logged[0].id}/redeliver`);
    expect([again.status, again.body.code]).toEqual([409, 'not_redeliverable']);
  });

  test('runs at most five times at once', async () => {
    const hook = await scene.webhook();
    const { opened, open } = gate();
    hook.receiver.respond = () => ({ status: 200, after: opened });
    const statuses: number[] = [];
    const tests = Array.from({ length: 7 }, async () => {
      statuses.push((await scene.api.post(`/webhooks/${hook.id}/test`)).status);
    });
    await until('two are refused', () => statuses.length >= 2);
    open();
    await Promise.all(tests);
    expect(statuses).toEqual([429, 429, 200, 200, 200, 200, 200]);
    expect((await scene.api.post(`/webhooks/${hook.id}/test`)).status).toBe(200);
  });
});

describe('redeliver', () => {
  test('sends a delivered event again with the same webhook-id, and keeps its answer', async () => {
    const { hook, send } = await echoTo();
    await send({ n: 1 });
    const [delivery] = await listed(hook, 'delivered');
    hook.receiver.respond = () => ({ status: 201, body: 'again' });
    const response = await scene.api.post(`/webhooks/${hook.id}/deliveries/${delivery.id}/redeliver`);
    expect([response.status, response.body.data]).toEqual([202, delivery]);
    const [first, second] = await received(hook, 2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    const after = await until('it is logged', async () => {
      const { data } = (await scene.api.get(`/webhooks/${hook.id}/deliveries/${delivery.id}`)).body;
      return data.attempts === 2 && data;
    });
    expect(after).toMatchObject({ status: 'delivered', last_attempt: { status: 201 } });
    expect(after.attempt_log).toMatchObject([
      { attempt: 1, status: 200, answer: '' },
      { attempt: 2, status: 201, answer: 'again' },
    ]);
    expect(await list(hook)).toHaveLength(1);
  });

  test('delivers what is held to an inactive webhook, which stays off', async () => {
    const { hook, send } = await echoTo();
    await put(hook, { active: false });
    await send({ n: 1 });
    const [held] = await listed(hook, 'held');
    hook.receiver.respond = (index) => ({ status: index === 0 ? 500 : 200 });
    await scene.api.post(`/webhooks/${hook.id}/deliveries/${held.id}/redeliver`);
    await until('the failure is logged', async () => (await list(hook))[0].attempts === 1);
    expect(await list(hook)).toMatchObject([{ status: 'held', next_attempt_ms: null }]);
    expect((await webhook(hook)).held_count).toBe(1);
    await scene.api.post(`/webhooks/${hook.id}/deliveries/${held.id}/redeliver`);
    await listed(hook, 'delivered');
    expect(await webhook(hook)).toMatchObject({ active: false, disabled_reason: 'owner', held_count: 0 });
  });

  test('is refused more than ten times a minute for one delivery', async () => {
    const { hook, send } = await echoTo();
    await send({ n: 1 });
    const [{ id }] = await listed(hook, 'delivered');
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await scene.api.post(`/webhooks/${hook.id}/deliveries/${id}/redeliver`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 202), 429]);
    await received(hook, 11);
  });
});

describe('switching off and recovering', () => {
  test('waiting deliveries become held; switching on sends nothing; recover sends all of it, oldest first', async () => {
    const { hook, send } = await echoTo();
    const since = Date.now();
    hook.receiver.respond = () => ({ status: 500 });
    await send({ n: 0 });
    await listed(hook, 'retrying');
    await put(hook, { active: false });
    await listed(hook, 'held');
    for (let n = 1; n <= 5; n += 1) {
      await send({ n });
      await listed(hook, 'held', n + 1);
    }
    expect(await webhook(hook)).toMatchObject({ active: false, disabled_reason: 'owner', held_count: 6 });
    const refused = await scene.api.post(`/webhooks/${hook.id}/recover`, { since });
    expect([refused.status, refused.body.code]).toEqual([409, 'webhook_inactive']);
    expect((await scene.api.get(`/webhooks/${hook.id}/recover`)).status).toBe(404);
    await put(hook, { active: true });
    expect(await webhook(hook)).toMatchObject({
      disabled_reason: null,
      failing_since_ms: null,
      held_count: 6,
    });
    const before = hook.receiver.received.length;
    hook.receiver.respond = () => ({ status: 200 });
    const started = await scene.api.post(`/webhooks/${hook.id}/recover`, undefined, {
      query: { since: String(since) },
    });
    expect([started.status, started.body.data]).toEqual([
      202,
      {
        id: expect.stringMatching(/^rc_/) as string,
        since_ms: since,
        status: 'running',
        found: 6,
        sent: 0,
        delivered: 0,
        started_at_ms: expect.any(Number) as number,
        finished_at_ms: null,
      },
    ]);
    const done = await until('it is done', async () => {
      const { data } = (await scene.api.get(`/webhooks/${hook.id}/recover`)).body;
      return data.status === 'done' && data;
    });
    expect(done).toMatchObject({ id: started.body.data.id, found: 6, sent: 6, delivered: 6 });
    expect(done.finished_at_ms).toBeGreaterThanOrEqual(done.started_at_ms);
    const bodies = hook.receiver.bodies.slice(before) as { n: number }[];
    expect(bodies.map(({ n }) => n).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await list(hook, { status: 'delivered' })).toHaveLength(6);
    expect((await webhook(hook)).held_count).toBe(0);
  });

  test.each([
    ['nothing', () => ({})],
    ['a time to come', () => ({ since: Date.now() + 60_000 })],
    ['a time 15 days ago', () => ({ since: Date.now() - 15 * 86_400_000 })],
    ['no time', () => ({ since: 'x' })],
  ])('recover since %s is 400', async (_, body) => {
    const hook = await scene.webhook();
    expect((await scene.api.post(`/webhooks/${hook.id}/recover`, body())).status).toBe(400);
  });

  test('recover with nothing to send is done at once', async () => {
    const hook = await scene.webhook();
    const { body } = await scene.api.post(`/webhooks/${hook.id}/recover`, { since: Date.now() - 1_000 });
    expect(body.data).toMatchObject({ status: 'done', found: 0, sent: 0 });
  });
});

describe('rate_limit', () => {
  test('begins at most that many attempts in any second, spread evenly', async () => {
    const { hook, send } = await echoTo();
    await put(hook, { rate_limit: 10 });
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    await Promise.all(Array.from({ length: 40 }, (_, n) => send({ n })));
    const all = hook.receiver.received;
    const distinct = () => new Set(all.map(({ body }) => body)).size;
    await until('all arrive', () => distinct() === 40);
    delays.disable();
    const logged = await listed(hook, 'delivered', 40);
    const times: number[] = logged
      .map(({ last_attempt: { at_ms: at } }: { last_attempt: { at_ms: number } }) => at)
      .sort((a: number, b: number) => a - b);
    // An attempt begins some ten milliseconds after its slot at most, and later while this process waits for the
    // processor.
    const secondMs = 950 - delays.max / 1e6;
    for (const [index, at] of times.entries())
      expect(times.slice(index).filter((other) => other < at + secondMs).length).toBeLessThanOrEqual(10);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(gaps.filter((gap) => gap < 50).length).toBeLessThanOrEqual(8);
  });
});
