import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { gate } from '../support/gate.ts';
import { NO_RETRY, type Receiver } from '../support/receiver.ts';
import { ECHO, type Hook, Scene } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const hasFaults = inject('faults') === 'injected';

/** A source that echoes its requests to one webhook. */
async function echoTo(
  receiver?: Receiver,
): Promise<{ hook: Hook; send: (body: unknown) => Promise<void>; source: string }> {
  const [source, hook] = [await scene.source(ECHO), await scene.webhook(receiver)];
  await scene.subscribe(source.id, hook.id);
  return { hook, source: source.id, send: async (body) => void (await scene.send(source.endpoint, body)) };
}

const list = async (hook: Pick<Hook, 'id'>, query: Record<string, string | number> = {}) =>
  (await scene.api.get(`/webhooks/${hook.id}/deliveries`, query)).body;
const one = async (hook: Pick<Hook, 'id'>, id: string, query: Record<string, string> = {}) =>
  (await scene.api.get(`/webhooks/${hook.id}/deliveries/${id}`, query)).body.data;
const webhook = async (hook: Pick<Hook, 'id'>) => (await scene.api.get(`/webhooks/${hook.id}`)).body.data;

/** The deliveries once there are as many, within the 2 s that are promised after the attempts. */
const listed = (hook: Pick<Hook, 'id'>, count: number, query: Record<string, string | number> = {}) =>
  until(
    `${count} deliveries`,
    async () => {
      const { data } = await list(hook, query);
      return data.length >= count && data;
    },
    hasFaults ? {} : { withinMs: 2_000 },
  );

describe('a delivery that succeeds', () => {
  test('is listed within 2 s with its identity, and has one attempt and its event', async () => {
    const { hook, send, source } = await echoTo();
    const before = Date.now();
    await send({ b: 1, a: 'ü' });
    await until('it arrives', () => hook.receiver.received.length > 0);
    const [delivery] = await listed(hook, 1);
    const [event] = await scene.eventsOf(source, 1);
    const { headers } = hook.receiver.received[0] ?? expect.fail();
    expect(delivery).toEqual({
      id: expect.stringMatching(/^dl_[0-9a-z]{24}$/) as string,
      webhook_id: hook.id,
      emitter_id: source,
      event_name: '',
      event_id: event?.id,
      emit_id: headers['webhook-id'],
      status: 'delivered',
      attempts: 1,
      created_at_ms: Number(event?.id.split('-')[0]),
      last_attempt: {
        at_ms: expect.any(Number) as number,
        outcome: 'delivered',
        status: 200,
        ms: expect.any(Number) as number,
      },
      next_attempt_ms: null,
    });
    expect(delivery.created_at_ms).toBeGreaterThanOrEqual(before);
    expect(await one(hook, delivery.id)).toEqual({
      ...delivery,
      attempt_log: [
        {
          attempt: 1,
          ...delivery.last_attempt,
          answer: '',
          response_headers: expect.any(Array) as unknown[],
          reason: null,
        },
      ],
    });
    const { event: body } = await one(hook, delivery.id, { expand: 'event' });
    expect(JSON.stringify(body)).toBe('{"b":1,"a":"ü"}');
    const { last_attempt, last_success_ms, failing_since_ms, disabled_reason, held_count } = await webhook(hook);
    expect({ last_attempt, last_success_ms, failing_since_ms, disabled_reason, held_count }).toEqual({
      last_attempt: delivery.last_attempt,
      last_success_ms: delivery.last_attempt.at_ms,
      failing_since_ms: null,
      disabled_reason: null,
      held_count: 0,
    });
  });

  test('has a null event after the event was deleted, and stays listed', async () => {
    const { hook, send, source } = await echoTo();
    await send({ n: 1 });
    const [delivery] = await listed(hook, 1);
    await scene.api.delete(`/sources/${source}/events`);
    await until('the event is gone', async () => (await scene.events(source)).length === 0);
    expect((await one(hook, delivery.id, { expand: 'event' })).event).toBeNull();
    const response = await scene.api.post(`/webhooks/${hook.id}/deliveries/${delivery.id}/redeliver`);
    expect([response.status, response.body.code]).toEqual([409, 'event_expired']);
    expect((await scene.api.get(`/sources/${source}/events/${delivery.event_id}`)).status).toBe(404);
  });
});

describe('a delivery that fails', () => {
  test('is listed as retrying, with answer and time of the next attempt, and shows in the health of its webhook', async () => {
    const { hook, send } = await echoTo();
    const { opened, open } = gate();
    hook.receiver.respond = (index) =>
      index === 0
        ? { status: 500, headers: { 'x-shop': 'closed' }, body: `${'é'.repeat(600)}!` }
        : { status: 204, after: opened };
    await send({ n: 1 });
    const [delivery] = await listed(hook, 1);
    expect(delivery).toMatchObject({
      status: 'retrying',
      attempts: 1,
      last_attempt: { outcome: 'rejected', status: 500 },
    });
    expect(delivery.next_attempt_ms - delivery.last_attempt.at_ms).toBeGreaterThanOrEqual(4_000);
    expect(delivery.next_attempt_ms - delivery.last_attempt.at_ms).toBeLessThan(6_500);
    const failed = await one(hook, delivery.id, { expand: 'event' });
    expect(failed.attempt_log).toEqual([
      {
        attempt: 1,
        ...delivery.last_attempt,
        answer: 'é'.repeat(512),
        response_headers: expect.arrayContaining([{ name: 'x-shop', value: 'closed' }]) as object[],
        reason: null,
      },
    ]);
    expect(failed.event).toEqual({ n: 1 });
    const health = await until('its webhook shows it', async () => {
      const data = await webhook(hook);
      return data.failing_since_ms !== null && data;
    });
    expect(health).toMatchObject({
      last_attempt: delivery.last_attempt,
      failing_since_ms: delivery.last_attempt.at_ms,
      last_success_ms: null,
    });
    open();
    const [delivered] = await until('it is delivered', async () => {
      const { data } = await list(hook, { status: 'delivered' });
      return data.length > 0 && data;
    });
    expect(delivered).toMatchObject({
      id: delivery.id,
      attempts: 2,
      last_attempt: { status: 204 },
      next_attempt_ms: null,
    });
    await until('the health is written', async () => (await webhook(hook)).failing_since_ms === null);
    expect(await webhook(hook)).toMatchObject({
      last_attempt: delivered.last_attempt,
      last_success_ms: delivered.last_attempt.at_ms,
    });
  });

  test('to nothing has a reason instead of an answer', async () => {
    const source = await scene.source(ECHO);
    const url = `http://127.0.0.1:${await freePort()}/`;
    const { body } = await scene.api.post('/webhooks', { url });
    await scene.subscribe(source.id, body.data.id);
    await scene.send(source.endpoint, {});
    const [delivery] = await listed(body.data, 1);
    expect(delivery.last_attempt).toMatchObject({ outcome: 'unreachable', status: null });
    const { attempt_log: attempts } = await one(body.data, delivery.id);
    expect(attempts).toMatchObject([{ answer: null, reason: expect.stringMatching(/^\S.*\.$/) as string }]);
  });

  test('with 410 is failed, and its webhook is off as gone; what comes later is held, and counted', async () => {
    const { hook, send } = await echoTo();
    hook.receiver.respond = () => ({ status: 410 });
    await send({ n: 1 });
    const [gone] = await listed(hook, 1);
    expect(gone.status).toBe('failed');
    const off = await until('it is off', async () => {
      const shown = await webhook(hook);
      return !shown.active && shown;
    });
    expect(off.disabled_reason).toBe('gone');
    expect(off.updated_at).toBe(off.created_at);
    await send({ n: 2 });
    const [held] = await listed(hook, 1, { status: 'held' });
    expect(held).toMatchObject({ attempts: 0, last_attempt: null, next_attempt_ms: null });
    expect((await webhook(hook)).held_count).toBe(1);
    expect(hook.receiver.received).toHaveLength(1);
  });

  test('in an attempt that hangs is listed as pending within 2 s', async () => {
    const { hook, send } = await echoTo();
    const { opened, open } = gate();
    hook.receiver.respond = (index) => (index === 0 ? { status: 200, after: opened } : { status: 200 });
    await send({ n: 1 });
    await until('it is being tried', () => hook.receiver.received.length > 0);
    const [pending] = await listed(hook, 1);
    expect(pending).toMatchObject({ status: 'pending', attempts: 0, last_attempt: null });
    open();
    const [delivered] = await until('it is delivered', async () => {
      const { data } = await list(hook, { status: 'delivered' });
      return data.length > 0 && data;
    });
    expect(delivered).toMatchObject({ id: pending.id, attempts: 1 });
  });
});

describe('the list', () => {
  test('is newest first over successes and failures; cursors walk it, filters select', async () => {
    const { hook, send, source } = await echoTo();
    await scene.subscribe(source, hook.id, 'other');
    hook.receiver.respond = (index) => ({ status: index % 3 === 0 ? 500 : 200 });
    for (let n = 0; n < 9; n += 1) {
      await send({ event: { n }, stream: n % 2 ? 'other' : undefined });
      await listed(hook, n + 1);
    }
    const { data: all, page_info: info } = await list(hook);
    expect(info.total_count).toBe(9);
    const ids = all.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    const walked: string[] = [];
    for (let after: string | null = ''; ;) {
      const page = await list(hook, { limit: 2, ...(after ? { after } : {}) });
      walked.push(...page.data.map(({ id }: { id: string }) => id));
      after = page.page_info.end_cursor;
      if (after === null) break;
    }
    expect(walked).toEqual(ids);
    const of = async (query: Record<string, string | number>) => {
      const { data, page_info } = await list(hook, query);
      expect(page_info.total_count).toBe(data.length);
      return data.map(({ id }: { id: string }) => id);
    };
    const idsWhere = (matches: (delivery: Record<string, unknown>) => boolean) =>
      all.filter(matches).map(({ id }: { id: string }) => id);
    expect(await of({ emitter_id: source })).toEqual(ids);
    expect(await of({ emitter_id: 'dc_unknown' })).toEqual([]);
    expect(await of({ event_name: 'other' })).toEqual(idsWhere(({ event_name: name }) => name === 'other'));
    expect(await of({ event_name: 'default' })).toEqual(idsWhere(({ event_name: name }) => name === ''));
    const { body } = await scene.api.get(`/webhooks/${hook.id}/deliveries`, 'event_name=');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(idsWhere(({ event_name: name }) => name === ''));
    expect(await of({ event_name: '$test' })).toEqual([]);
    expect(await of({ event_id: all[3].event_id })).toEqual([all[3].id]);
    expect(await of({ outcome: 'timed_out' })).toEqual([]);
    const at = all[4].created_at_ms;
    expect(await of({ since: at })).toEqual(idsWhere(({ created_at_ms: ms }) => Number(ms) >= at));
    expect(await of({ until: new Date(at).toISOString() })).toEqual(
      idsWhere(({ created_at_ms: ms }) => Number(ms) < at),
    );
    // A cursor is a position, whatever the filters.
    const cursor = (await list(hook, { limit: 4 })).page_info.end_cursor;
    const others = idsWhere(({ event_name: name }) => name === 'other');
    const below = await list(hook, { event_name: 'other', after: cursor });
    expect(below.data.map(({ id }: { id: string }) => id)).toEqual(others.filter((id: string) => id < ids[3]));
    const other = await scene.webhook();
    expect((await scene.api.get(`/webhooks/${other.id}/deliveries`, { after: cursor })).body.code).toBe(
      'invalid_cursor',
    );
  });

  test.each([
    { status: 'dead' },
    { outcome: 'lost' },
    { emitter_id: 'wh_x' },
    { emitter_id: 'dc_*' },
    { event_id: '1' },
    { event_name: '$other' },
    { since: 'yesterday' },
    { until: '2031-02-30' },
    { since: 5, until: 5 },
    { after: 'x' },
    { limit: 0 },
  ])('%j is 400', async (query) => {
    const hook = await scene.webhook();
    const { status } = await scene.api.get(`/webhooks/${hook.id}/deliveries`, query as Record<string, string | number>);
    expect(status).toBe(400);
  });

  test('is of its owner, and gone with its webhook', async () => {
    const { hook, send } = await echoTo();
    await send({ n: 1 });
    const [{ id }] = await listed(hook, 1);
    const stranger = scene.api.as((await aUser(scene.cloud)).key);
    for (const path of [`/webhooks/${hook.id}/deliveries`, `/webhooks/${hook.id}/deliveries/${id}`]) {
      expect((await stranger.get(path)).status).toBe(404);
    }
    for (const unknown of ['dl_unknown', `dl_${'z'.repeat(24)}`, `dl_${'0'.repeat(24)}`])
      expect((await scene.api.get(`/webhooks/${hook.id}/deliveries/${unknown}`)).status).toBe(404);
    expect((await scene.api.get(`/webhooks/${hook.id}/deliveries/wh_x`)).status).toBe(400);
    await scene.api.delete(`/webhooks/${hook.id}`);
    expect((await scene.api.get(`/webhooks/${hook.id}/deliveries/${id}`)).status).toBe(404);
  });
});

describe('GET …/events/{event_id}', () => {
  test('is the event whole, with its trigger and its deliveries', async () => {
    const [source, good, bad, never] = [
      await scene.source(`export default { name: 'Emits', version: '0.0.1', run(event) { this.$emit(event); } };`),
      await scene.webhook(),
      await scene.webhook(),
      await scene.webhook(),
    ];
    bad.receiver.respond = () => ({ status: 500, headers: NO_RETRY });
    await scene.subscribe(source.id, good.id);
    await scene.subscribe(source.id, bad.id);
    const text = 'x'.repeat(3_000);
    const run = await scene.api.post(`/sources/${source.id}/run`, { text });
    const [{ event_id: eventId, id }] = await listed(good, 1);
    const [failed] = await listed(bad, 1);
    const { body } = await scene.api.get(`/sources/${source.id}/events/${eventId}`);
    const [summary] = await scene.events(source.id, { expand: 'event' });
    const { deliveries, trigger_id: triggerId, ...event } = body.data;
    expect(event).toEqual(summary);
    expect(event.event).toEqual({ text });
    expect(triggerId).toBe(run.body.data.id);
    expect(deliveries).toHaveLength(2);
    expect(deliveries).toEqual(
      expect.arrayContaining([
        {
          webhook_id: good.id,
          delivery_id: id,
          status: 'delivered',
          attempts: 1,
          last_attempt: expect.any(Object) as object,
        },
        {
          webhook_id: bad.id,
          delivery_id: failed.id,
          status: 'retrying',
          attempts: 1,
          last_attempt: failed.last_attempt,
        },
      ]),
    );
    expect(JSON.stringify(deliveries)).not.toContain(never.id);
    expect((await scene.api.get(`/sources/${source.id}/events/1-1`)).status).toBe(404);
    expect((await scene.api.get(`/sources/${source.id}/events/x`)).status).toBe(400);
    const elsewhere = await scene.api.get(`/sources/${source.id}/events/${eventId}`, {
      event_name: '$errors',
    });
    expect(elsewhere.status).toBe(404);
  });
});
