import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { ECHO, type Hook, Scene } from '../support/scene.ts';
import { travel as travelOn } from '../support/travel.ts';
import { until } from '../support/until.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const hasFaults = inject('faults') === 'injected';

let clock: FakeClock;
let scene: Scene;
/** Messages sent to the queue `retries`. */
let retrySends: number;
const travel = (byMs: number, stepMs: number, condition?: () => boolean | Promise<boolean>) =>
  travelOn(clock, { isBusy: scene.isBusy, byMs, stepMs }, condition);
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
  retrySends = 0;
  scene = await Scene.open({
    clock,
    onQueueRequest(queueName, operation, entries) {
      if (operation === 'SendMessageBatch' && queueName.includes('Retries')) retrySends += entries;
    },
  });
});
afterEach(() => scene.close());

const list = async (hook: Hook, query: Record<string, string | number> = {}) =>
  (await scene.api.get(`/webhooks/${hook.id}/deliveries`, { limit: 100, ...query })).body.data;
const webhook = async (hook: Hook) => (await scene.api.get(`/webhooks/${hook.id}`)).body.data;

/** A webhook that fails, with ten deliveries that failed at once: its breaker is open. */
async function opened() {
  const [source, hook] = [await scene.source(ECHO), await scene.webhook()];
  hook.receiver.respond = () => ({ status: 500 });
  await scene.subscribe(source.id, hook.id);
  const send = (n: number) => scene.send(source.endpoint, { n });
  for (let n = 0; n < 3; n += 1) {
    await send(n);
    await until('it is listed', async () => (await list(hook)).length === n + 1);
  }
  await travel(MINUTE, SECOND, () => hook.receiver.received.length >= 3);
  await until('the breaker is open', async () => {
    const deliveries = await list(hook);
    return deliveries.every(({ next_attempt_ms: at }: { next_attempt_ms: number | null }) => at !== null);
  });
  return { hook, send };
}

test('an open breaker sends one due delivery after 10 s, then after twice the time; each takes a step of its own schedule', async () => {
  const { hook, send } = await opened();
  const { received } = hook.receiver;
  const before = received.length;
  const start = clock.now();
  const probes: { after: number; n: number }[] = [];
  await travel(2 * MINUTE, SECOND, () => {
    for (let at = before + probes.length; at < received.length; at += 1)
      probes.push({
        after: (clock.now() - start) / SECOND,
        n: (JSON.parse(received[at]?.body ?? '') as { n: number }).n,
      });
    return false;
  });
  if (!hasFaults) {
    expect(probes.map(({ n }) => n).toSorted()).toEqual([0, 1, 2]);
    const gaps = probes.slice(1).map(({ after }, index) => after - (probes[index]?.after ?? 0));
    for (const [index, expected] of [20, 40].entries()) {
      expect(gaps[index]).toBeGreaterThanOrEqual(expected - 2);
      expect(gaps[index]).toBeLessThanOrEqual(expected + 4);
    }
    for (const { attempts, last_attempt: last, next_attempt_ms: next } of await list(hook)) {
      expect(attempts).toBe(2);
      expect(next - last.at_ms).toBeGreaterThanOrEqual(4 * MINUTE);
    }
  }
  await send(3);
  const [newest] = await until('it is pending', async () => {
    const found = await list(hook, { status: 'pending' });
    return found.length > 0 && found;
  });
  expect(newest).toMatchObject({ attempts: 0, last_attempt: null });

  hook.receiver.respond = () => ({ status: 200 });
  const isDelivered = async () => (await list(hook, { status: 'delivered' })).length === 4;
  expect(await travel(12 * MINUTE, 5 * SECOND, isDelivered)).toBe(true);
  expect(await webhook(hook)).toMatchObject({ active: true, failing_since_ms: null });
});

test('a webhook that fails for five days is off as failing, what waits is held, and recover delivers it', async () => {
  const { hook, send } = await opened();
  const since = clock.now() - MINUTE;
  const isOff = async () => !(await webhook(hook)).active;
  expect(await travel(4 * DAY + 22 * HOUR, HOUR, isOff)).toBe(false);
  // The tries of the first three have ended.
  await send(3);
  expect(await travel(4 * HOUR, 10 * MINUTE, isOff)).toBe(true);
  await until('what waited is held', async () => (await webhook(hook)).held_count === 1);
  expect(await webhook(hook)).toMatchObject({ active: false, disabled_reason: 'failing' });
  hook.receiver.respond = () => ({ status: 200 });
  await scene.api.put(`/webhooks/${hook.id}`, { active: true });
  await scene.api.post(`/webhooks/${hook.id}/recover`, { since });
  const isDelivered = async () => (await list(hook, { status: 'delivered' })).length === 4;
  expect(await travel(MINUTE, SECOND, isDelivered)).toBe(true);
});

test('a webhook with an open breaker costs no attempt and no message for an event, and another one gets it at once', async () => {
  const { hook, send } = await opened();
  const other = await scene.webhook();
  const [{ emitter_id: source }] = await list(hook);
  await scene.subscribe(source, other.id);
  // The messages of the first failures come and park their deliveries.
  await travel(8 * SECOND, SECOND);
  const [attempts, messages] = [hook.receiver.received.length, retrySends];
  for (let n = 3; n < 23; n += 1) await send(n);
  await until('the other webhook has all', () => other.receiver.received.length >= 20);
  await until('all are pending', async () => (await list(hook, { status: 'pending' })).length === 20);
  expect(hook.receiver.received.length).toBe(attempts);
  if (!hasFaults) expect(retrySends).toBe(messages);
});

test('a redelivery that succeeds closes the breaker, and what waited is sent', async () => {
  const { hook } = await opened();
  hook.receiver.respond = () => ({ status: 200 });
  const [newest] = await list(hook);
  await scene.api.post(`/webhooks/${hook.id}/deliveries/${newest.id}/redeliver`);
  const isDelivered = async () => (await list(hook, { status: 'delivered' })).length === 3;
  expect(await travel(10 * SECOND, SECOND, isDelivered)).toBe(true);
});

test('a recovery probes an open breaker first: its success sends everything', async () => {
  const since = clock.now() - MINUTE;
  const { hook } = await opened();
  hook.receiver.respond = () => ({ status: 200 });
  const before = hook.receiver.received.length;
  const { body } = await scene.api.post(`/webhooks/${hook.id}/recover`, { since });
  expect(body.data.found).toBe(3);
  // The clock stands still: no probe of the webhook is due.
  await until('the first one is sent', () => hook.receiver.received.length > before);
  // The drain of the closed breaker may have the next one, for which the recovery then waits.
  const isDone = async () => {
    const { data } = (await scene.api.get(`/webhooks/${hook.id}/recover`)).body;
    return data.status === 'done';
  };
  expect(await travel(5 * MINUTE, 5 * SECOND, isDone)).toBe(true);
  const sent = hook.receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
  expect(new Set(sent).size).toBe(3);
  expect(await webhook(hook)).toMatchObject({ failing_since_ms: null });
});

test('a recovery of a webhook that still fails sends one delivery and leaves the others to the breaker', async () => {
  const since = clock.now() - MINUTE;
  const { hook } = await opened();
  const before = hook.receiver.received.length;
  await scene.api.post(`/webhooks/${hook.id}/recover`, { since });
  const job = async () => (await scene.api.get(`/webhooks/${hook.id}/recover`)).body.data;
  await until('the probe has ended', async () => (await job()).sent === 1);
  if (!hasFaults) expect(hook.receiver.received.length).toBe(before + 1);
  hook.receiver.respond = () => ({ status: 200 });
  const isDone = async () => (await job()).status === 'done';
  expect(await travel(5 * MINUTE, 5 * SECOND, isDone)).toBe(true);
  const isDelivered = async () => (await list(hook, { status: 'delivered' })).length === 3;
  expect(await travel(MINUTE, 5 * SECOND, isDelivered)).toBe(true);
});
