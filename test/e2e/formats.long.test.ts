import { join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import type { WebhookFormat } from '../../shared/domain/webhook/webhook-format.ts';
import { npmTools } from '../support/npm-tools.ts';
import { DiscordMessage, SlackMessage, TeamsMessage } from '../support/published-messages.ts';
import type { Received } from '../support/receiver.ts';
import { ECHO, type Hook, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const setFormat = (hook: Hook, format: WebhookFormat) => scene.api.put(`/webhooks/${hook.id}`, { format });
const received = (hook: Hook, count: number) =>
  until(`${count} requests`, () => hook.receiver.received.length >= count && hook.receiver.received);
const bodyOf = (request: Received | undefined): unknown => JSON.parse(request?.body ?? '');
const verify = (secret: string, { body, headers }: Received) =>
  new Verifier(secret).verify(body, headers as Record<string, string>);

/** A channel of an app: it takes what the app documents, and responds as the app does. */
async function aChannel(
  format: 'slack' | 'discord' | 'teams',
  schema: z.ZodType,
  taken: { status: number; body?: string },
): Promise<Hook> {
  const hook = await scene.webhook();
  hook.receiver.respond = (_, { body, headers }) => {
    const isMessage = headers['content-type'] === 'application/json' && schema.safeParse(JSON.parse(body)).success;
    return isMessage ? taken : { status: 400, body: 'invalid_payload' };
  };
  await setFormat(hook, format);
  return hook;
}

const channels = () =>
  Promise.all([
    aChannel('slack', SlackMessage, { status: 200, body: 'ok' }),
    aChannel('discord', DiscordMessage, { status: 204 }),
    aChannel('teams', TeamsMessage, { status: 202 }),
  ]);

const deliveriesOf = async (hook: Hook) => (await scene.api.get(`/webhooks/${hook.id}/deliveries`)).body.data;
const delivered = (hook: Hook, count: number) =>
  until(`${count} deliveries`, async () => {
    const list = await deliveriesOf(hook);
    return list.length === count && list.every(({ status }: { status: string }) => status === 'delivered');
  });

test('a notice comes to a channel of each app as a signed message with its text', async () => {
  const notices: string = (await scene.api.get('/users/me/notices')).body.data.id;
  const [source, failing, all] = [await scene.source(ECHO), await scene.webhook(), await channels()];
  await scene.api.put(`/webhooks/${failing.id}`, { name: 'crm <b>' });
  failing.receiver.respond = () => ({ status: 500 });
  await scene.subscribe(source.id, failing.id);
  for (const hook of all) await scene.subscribe(notices, hook.id, 'webhook.failing');
  await scene.send(source.endpoint, { n: 1 });
  for (const hook of all) {
    const [request] = await received(hook, 1);
    verify(hook.secret, request ?? expect.fail());
    expect(request?.body).toMatch(/500/);
    await delivered(hook, 1);
  }
  const [slack] = all;
  expect(bodyOf(slack.receiver.received[0])).toMatchObject({
    text: expect.stringMatching(/^Webhook fails: crm &lt;b&gt;\nIt \w+ 500\.\nSince \d{4}-\d\d-\d\d [\d:]+ UTC$/),
  });
});

test('another event comes as its emitter, its stream and its JSON, also in a test and when it is large', async () => {
  const [source, all] = [await scene.source(ECHO, { name: 'orders' }), await channels()];
  for (const hook of all) await scene.subscribe(source.id, hook.id);
  await scene.send(source.endpoint, { id: 1, text: '<!channel> @everyone "'.repeat(20_000) });
  for (const hook of all) {
    const [request] = await received(hook, 1);
    expect(request?.body.replaceAll('\\\\', '')).toMatch(/orders(?:\\|: |:)*default/);
    await delivered(hook, 1);
    const { body } = await scene.api.post(`/webhooks/${hook.id}/test`, { test: true });
    expect(body.data.outcome).toBe('delivered');
  }
});

test('a channel that limits the rate gets the same message later; every attempt has the format of its moment', async () => {
  const [source, hook] = [await scene.source(ECHO), await aChannel('discord', DiscordMessage, { status: 204 })];
  const { respond } = hook.receiver;
  // https://docs.discord.com/developers/topics/rate-limits#exceeding-a-rate-limit
  const limited = {
    status: 429,
    headers: { 'retry-after': '65', 'content-type': 'application/json' },
    body: '{"message": "You are being rate limited.", "retry_after": 64.57, "global": false}',
  };
  hook.receiver.respond = (index, request) => (index === 0 ? limited : respond(index, request));
  await scene.subscribe(source.id, hook.id);
  await scene.send(source.endpoint, { n: 1 });
  await received(hook, 1);
  const [waiting] = await until('the delivery waits', async () => {
    const list = await deliveriesOf(hook);
    return list[0]?.status === 'retrying' && list;
  });
  expect(waiting.next_attempt_ms - waiting.last_attempt.at_ms).toBeGreaterThanOrEqual(65_000);
  const redeliver = () => scene.api.post(`/webhooks/${hook.id}/deliveries/${waiting.id}/redeliver`);
  await redeliver();
  const [first, second] = await received(hook, 2);
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  await delivered(hook, 1);
  await setFormat(hook, 'event');
  await redeliver();
  const [, , third] = await received(hook, 3);
  expect(bodyOf(third)).toEqual({ n: 1 });
});

/** The receiver of https://github.com/cloudevents/sdk-javascript. */
const Sdk = z.object({
  HTTP: z.object({
    toEvent: z.custom<(message: Pick<Received, 'headers' | 'body'>) => { validate(): boolean; toJSON(): object }>(
      (value) => typeof value === 'function',
    ),
  }),
});

/** Reads requests as a receiver with the SDK of CloudEvents does. */
async function cloudEventReader(): Promise<(request: Received | undefined) => object> {
  const tools = await npmTools('cloudevents', { cloudevents: '10.0.0' });
  const { HTTP } = Sdk.parse(await import(join(tools, 'node_modules/cloudevents/dist/index.js')));
  return (request) => {
    const { headers, body } = request ?? expect.fail('no request');
    const event = HTTP.toEvent({ headers, body });
    expect(event.validate()).toBe(true);
    return event.toJSON();
  };
}

test('a CloudEvent, as the SDK of CloudEvents reads it, is the same in the first attempt, a retry and a redelivery', async () => {
  const [source, hook] = [await scene.source(ECHO), await scene.webhook()];
  const read = await cloudEventReader();
  await setFormat(hook, 'cloudevents');
  await scene.subscribe(source.id, hook.id, 'paid');
  hook.receiver.respond = (index) => ({ status: index === 0 ? 503 : 200 });
  await scene.send(source.endpoint, { stream: 'paid', event: { n: 1 } });
  const [first, second] = await received(hook, 2);
  await delivered(hook, 1);
  const [delivery] = await deliveriesOf(hook);
  await scene.api.post(`/webhooks/${hook.id}/deliveries/${delivery.id}/redeliver`);
  const [, , third] = await received(hook, 3);
  const [event] = await scene.eventsOf(source.id, 1, { event_name: 'paid' });
  for (const request of [first, second, third]) {
    verify(hook.secret, request ?? expect.fail());
    expect(request?.headers['content-type']).toBe('application/cloudevents+json');
    expect(read(request)).toEqual({
      specversion: '1.0',
      id: event?.metadata.emit_id,
      source: `/sources/${source.id}`,
      type: 'paid',
      time: new Date(event?.indexed_at_ms ?? 0).toISOString(),
      datacontenttype: 'application/json',
      data: { n: 1 },
    });
  }
  const { body } = await scene.api.post(`/webhooks/${hook.id}/test`, { n: 2 });
  expect(body.data.outcome).toBe('delivered');
  expect(read(hook.receiver.received[3])).toMatchObject({
    source: `/webhooks/${hook.id}`,
    type: '$test',
    data: { n: 2 },
  });
});
