import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { emitter, KEYED_RELAY } from '../support/components.ts';
import { aUser, aWorkflow, publish } from '../support/stores.ts';
import { until } from '../support/until.ts';

let cloud: TestCloud;
let admin: ApiClient;
let api: ApiClient;
let webhook: string;
let source: string;
let workflow: string;
/** Published, so that it is built once. No process runs it. */
let component: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  admin = await apiClient(cloud.base, cloud.key);
  component = (await admin.post('/components', { component_code: KEYED_RELAY })).body.data.id;
  await publish(cloud, component);
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  const user = await aUser(cloud);
  api = admin.as(user.key);
  webhook = (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data.id;
  source = (await api.post('/sources', { component_id: component })).body.data.id;
  workflow = (await aWorkflow(cloud, user.id)).id;
});

const subscribe = (query: Record<string, string>) => api.call('POST', '/subscriptions', { query });
const list = async () => (await api.get('/users/me/subscriptions')).body.data;

describe('POST /subscriptions', () => {
  test('answers 200 with the subscription; the same again is the same one', async () => {
    const { status, body } = await subscribe({ emitter_id: source, listener_id: webhook });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^sub_/) as string,
      emitter_id: source,
      listener_id: webhook,
      event_name: '',
    });
    expect((await subscribe({ emitter_id: source, listener_id: webhook })).body).toEqual(body);
    expect(await list()).toEqual([body.data]);
  });

  test('absent, empty and default are one stream; the first form is shown', async () => {
    const { body } = await subscribe({ emitter_id: source, listener_id: webhook, event_name: 'default' });
    expect(body.data.event_name).toBe('default');
    expect((await subscribe({ emitter_id: source, listener_id: webhook, event_name: '' })).body).toEqual(body);
    expect((await api.post('/subscriptions', { emitter_id: source, listener_id: webhook })).body).toEqual(body);
    const errors = await subscribe({ emitter_id: source, listener_id: webhook, event_name: '$errors' });
    expect(errors.body.data.id).not.toBe(body.data.id);
    expect(await list()).toEqual([errors.body.data, body.data]);
  });

  test('emitters are sources, workflows and the globs; listeners sources, workflows and webhooks', async () => {
    for (const emitter of [source, workflow, 'dc_*', 'p_*']) {
      for (const listener of [source, workflow, webhook]) {
        const { status, body } = await api.post('/subscriptions', {
          emitter_id: emitter,
          listener_id: listener,
        });
        expect([status, body.data?.emitter_id]).toEqual([200, emitter]);
      }
    }
    expect(await list()).toHaveLength(12);
  });

  test.each([
    [{ listener_id: 'wh_x' }, 'emitter_id is required.'],
    [{ emitter_id: 'dc_*' }, 'listener_id is required.'],
    [
      { emitter_id: 'wh_x', listener_id: 'wh_x' },
      'emitter_id must be the id of a source (dc_…), a workflow (p_…), dc_* or p_*.',
    ],
    [
      { emitter_id: 'dc_*', listener_id: 'sc_x' },
      'listener_id must be the id of a source (dc_…), a workflow (p_…) or a webhook (wh_…).',
    ],
    [{ emitter_id: 'wh_*', listener_id: 'wh_x' }, undefined],
    [{ emitter_id: 'dc_*', listener_id: 'dc_*' }, undefined],
    [{ emitter_id: 'dc_*', listener_id: 'wh_x', event_name: 'x'.repeat(129) }, undefined],
    [{ emitter_id: 'dc_*', listener_id: 'wh_x', event_name: 'a\tb' }, undefined],
  ])('%j is 400', async (query, error) => {
    for (const response of [
      await subscribe(query as Record<string, string>),
      await api.post('/subscriptions', query),
    ]) {
      expect(response.status).toBe(400);
      if (error !== undefined) expect(response.body.error).toBe(error);
    }
  });

  test("unknown ids and another user's are 404", async () => {
    const theirs = (await admin.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data.id;
    expect((await subscribe({ emitter_id: source, listener_id: theirs })).status).toBe(404);
    expect((await subscribe({ emitter_id: 'dc_never', listener_id: webhook })).status).toBe(404);
    expect((await admin.post('/subscriptions', { emitter_id: source, listener_id: theirs })).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  test('ten concurrent requests make one, with one id', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => subscribe({ emitter_id: source, listener_id: webhook })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });
});

describe('DELETE /subscriptions', () => {
  const remove = (query: Record<string, string>) => api.delete('/subscriptions', query);

  test('removes the one that matches; without a match 404', async () => {
    await subscribe({ emitter_id: source, listener_id: webhook });
    await subscribe({ emitter_id: source, listener_id: webhook, event_name: '$logs' });
    expect((await remove({ emitter_id: source, listener_id: webhook, event_name: 'x' })).status).toBe(404);
    expect((await remove({ emitter_id: source, listener_id: webhook, event_name: '' })).status).toBe(204);
    expect((await remove({ emitter_id: source, listener_id: webhook })).status).toBe(404);
    expect((await list()).map((item: { event_name: string }) => item.event_name)).toEqual(['$logs']);
    const body = { emitter_id: source, listener_id: webhook, event_name: '$logs' };
    expect((await api.call('DELETE', '/subscriptions', { body })).status).toBe(204);
  });

  test("a glob is removed as it was made, and another user's is never touched", async () => {
    await subscribe({ emitter_id: 'dc_*', listener_id: webhook });
    expect((await admin.delete('/subscriptions', { emitter_id: 'dc_*', listener_id: webhook })).status).toBe(404);
    expect((await remove({ emitter_id: 'dc_*', listener_id: webhook })).status).toBe(204);
  });

  test('ten concurrent deletes: one is 204, the others 404', async () => {
    await subscribe({ emitter_id: source, listener_id: webhook });
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => remove({ emitter_id: source, listener_id: webhook })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
  });
});

describe('auto-subscriptions', () => {
  test('are the same when repeated, also by ten concurrent requests', async () => {
    const body = { event_name: '$errors', listener_id: webhook };
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.post('/auto_subscriptions', body)));
    const [first] = responses;
    expect(first?.body.data).toEqual({ id: expect.stringMatching(/^asub_/) as string, ...body });
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect((await api.get('/users/me/auto_subscriptions')).body).toEqual({ data: [first?.body.data] });
  });

  test('event_name and listener_id are required', async () => {
    for (const body of [{ listener_id: webhook }, { event_name: '', listener_id: webhook }, { event_name: 'x' }]) {
      expect((await api.post('/auto_subscriptions', body)).status).toBe(400);
    }
    expect((await api.post('/auto_subscriptions', { event_name: 'x', listener_id: 'wh_never' })).status).toBe(404);
  });

  test('cover every source created later, before its deploy runs, and no earlier one', async () => {
    await api.call('POST', '/auto_subscriptions', { query: { event_name: 'default', listener_id: source } });
    expect(await list()).toEqual([]);
    const code = emitter().replace('async run', 'hooks: { deploy() { this.$emit({ from: "deploy" }); } }, async run');
    const { body } = await api.post('/sources', { component_code: code });
    expect((await list()).map((item: object) => ({ ...item, id: '' }))).toEqual([
      { id: '', emitter_id: body.data.id, listener_id: source, event_name: 'default' },
    ]);
    const [heard] = await until('the listener ran', async () => {
      const { body: events } = await api.get(`/sources/${source}/event_summaries`);
      return events.data.length > 0 && events.data;
    });
    expect(heard.event).toEqual({ from: 'deploy' });
  });

  test('ending one leaves the subscriptions it made', async () => {
    const identity = { event_name: 'default', listener_id: webhook };
    await api.post('/auto_subscriptions', identity);
    await api.post('/sources', { component_id: component });
    expect((await api.delete('/auto_subscriptions', identity)).status).toBe(204);
    expect((await api.delete('/auto_subscriptions', identity)).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });
});

test('deleting a source ends its subscriptions, as emitter and as listener', async () => {
  await subscribe({ emitter_id: source, listener_id: webhook });
  await subscribe({ emitter_id: 'dc_*', listener_id: source });
  await api.post('/auto_subscriptions', { event_name: 'x', listener_id: source });
  await api.delete(`/sources/${source}`);
  await until('no subscription is left', async () => (await list()).length === 0);
  await until('no auto-subscription is left', async () => {
    const { body } = await api.get('/users/me/auto_subscriptions');
    return body.data.length === 0;
  });
});
