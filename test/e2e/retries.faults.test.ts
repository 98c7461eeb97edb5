import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { MALFORMED, MalformedResponses } from '../support/malformed-responses.ts';
import type { Received } from '../support/receiver.ts';
import { ECHO, type Hook, Scene } from '../support/scene.ts';
import { settle, travel as travelOn } from '../support/travel.ts';
import { until } from '../support/until.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** Messages wait for whole seconds, and a fired schedule sends a message, which a function must receive. */
const SLACK = 5 * SECOND;
const hasFaults = inject('faults') === 'injected';

const timeOf = ({ headers }: Received) => headers['webhook-timestamp'];

let clock: FakeClock;
let scene: Scene;
const travel: typeof travelOn = (at, journey, condition) =>
  travelOn(at, { isBusy: scene.isBusy, ...journey }, condition);
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
  scene = await Scene.open({ clock });
});
afterEach(() => scene.close());

/** The attempt as the receiver sees it at the moment it was signed, which must be about now. */
function verifyFresh(hook: Hook, received: Received | undefined, withinMs: number): void {
  const { headers, body } = received ?? expect.fail('nothing was received');
  const signedAt = Number(headers['webhook-timestamp']) * SECOND;
  expect(Math.abs(signedAt - clock.now())).toBeLessThanOrEqual(withinMs + SECOND);
  vi.useFakeTimers({ toFake: ['Date'], now: signedAt });
  try {
    new Webhook(hook.secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

test('a delivery is tried ten times over 75.6 hours, each delay within ±20 %, each attempt freshly signed, across a restart, and never an eleventh time', async () => {
  const source = await scene.source(ECHO);
  const hook = await scene.webhook();
  const all = hook.receiver.received;
  /** At least once: the same message twice makes the same attempt twice, at the same moment. */
  const attempts = () => all.filter((one, at) => all.findIndex((other) => timeOf(other) === timeOf(one)) === at);
  hook.receiver.respond = () => ({ status: 500 });
  await scene.subscribe(source.id, hook.id);
  await scene.send(source.endpoint, { order: 'ü' });
  if (hasFaults) await travel(clock, { byMs: HOUR, stepMs: 10 * SECOND }, () => attempts().length === 1);
  await until('the first attempt', () => attempts().length === 1);
  verifyFresh(hook, attempts()[0], hasFaults ? HOUR : 0);
  let last = clock.now();

  for (const [index, delay] of DELAYS.entries()) {
    const attempt = index + 2;
    // Between the third and the fourth attempt, where a schedule waits, and the sixth and the seventh.
    if (attempt === 4 || attempt === 7) await scene.cloud.restart();
    const early = { byMs: delay * 0.8 - 2 * SECOND, stepMs: delay * 0.4 };
    expect(await travel(clock, early, () => attempts().length >= attempt), `attempt ${attempt} came too early`).toBe(
      false,
    );
    const late = hasFaults
      ? { byMs: delay + HOUR, stepMs: Math.max(delay / 50, 2 * SECOND) }
      : { byMs: delay * 0.4 + 2 * SECOND + SLACK, stepMs: Math.max(delay / 50, SECOND) };
    expect(await travel(clock, late, () => attempts().length >= attempt), `attempt ${attempt} did not come`).toBe(true);
    expect(clock.now() - last).toBeGreaterThanOrEqual(delay * 0.8 - SLACK);
    // Within the step of the clock in which it came, or the one before.
    verifyFresh(hook, attempts()[attempt - 1], 2 * late.stepMs);
    last = clock.now();
    await settle(100);
  }
  await travel(clock, { byMs: 96 * HOUR, stepMs: HOUR, settleMs: 5 });
  expect(attempts()).toHaveLength(10);
  const of = (header: string) => new Set(attempts().map(({ headers }) => headers[header]));
  expect(of('webhook-signature').size).toBe(10);
  expect(of('webhook-timestamp').size).toBe(10);
  expect(of('webhook-id').size).toBe(1);
  expect(of('x-tributary-event-id').size).toBe(1);
  expect(new Set(attempts().map(({ body }) => body))).toEqual(new Set(['{"order":"ü"}']));
});

test("a webhook's own pauses take the place of the schedule: two tries, and no third", async () => {
  const source = await scene.source(ECHO);
  const hook = await scene.webhook();
  await scene.api.put(`/webhooks/${hook.id}`, { retry_seconds: [120] });
  hook.receiver.respond = () => ({ status: 500 });
  await scene.subscribe(source.id, hook.id);
  await scene.send(source.endpoint, { n: 1 });
  const times = () => new Set(hook.receiver.received.map(timeOf));
  if (hasFaults) await travel(clock, { byMs: HOUR, stepMs: 10 * SECOND }, () => times().size === 1);
  await until('the first attempt', () => times().size === 1);
  expect(await travel(clock, { byMs: 90 * SECOND, stepMs: 10 * SECOND }, () => times().size > 1)).toBe(false);
  expect(await travel(clock, { byMs: HOUR, stepMs: 10 * SECOND }, () => times().size > 1)).toBe(true);
  await travel(clock, { byMs: 12 * HOUR, stepMs: HOUR, settleMs: 5 });
  expect(times().size).toBe(2);
});

test('Retry-After is honoured from the delay on; 429 and time-outs wait at least 60 s', async () => {
  const source = await scene.source(ECHO);
  const responses = {
    long: { status: 503, headers: { 'retry-after': '40' } },
    short: { status: 503, headers: { 'retry-after': '1' } },
    date: { status: 503, headers: { 'retry-after': new Date(clock.now() + 8 * SECOND).toUTCString() } },
    tooMany: { status: 429 },
    hanging: 'hang' as const,
  };
  const hooks = await Promise.all(
    Object.entries(responses).map(async ([name, response]) => {
      const hook = await scene.webhook();
      hook.receiver.respond = (index) => (index === 0 ? response : { status: 200 });
      await scene.subscribe(source.id, hook.id);
      return { name, received: hook.receiver.received };
    }),
  );
  await scene.send(source.endpoint, { n: 1 });
  if (hasFaults)
    await travel(clock, { byMs: HOUR, stepMs: 10 * SECOND }, () => hooks.every(({ received }) => received.length > 0));
  await until('all were tried', () => hooks.every(({ received }) => received.length > 0));
  const start = clock.now();
  // The first time-out is 5 s of real time; nothing is acknowledged before all have their outcome.
  await settle(6_000);
  const seconds: Record<string, number> = {};
  await travel(clock, { byMs: hasFaults ? HOUR : 80 * SECOND, stepMs: SECOND }, () => {
    for (const { name, received } of hooks) if (received.length > 1) seconds[name] ??= (clock.now() - start) / SECOND;
    return Object.keys(seconds).length === hooks.length;
  });
  expect(Object.keys(seconds).sort()).toEqual(['date', 'hanging', 'long', 'short', 'tooMany']);
  const bounds = {
    long: [40, 43],
    short: [5, 7.5],
    date: [5, 11],
    tooMany: [60, 63],
    hanging: [60, 63],
  } as const;
  for (const [name, [lower, upper]] of Object.entries(bounds)) {
    expect(seconds[name], name).toBeGreaterThanOrEqual(lower);
    if (!hasFaults) expect(seconds[name], name).toBeLessThanOrEqual(upper);
  }
});

test('a webhook that does not accept in time is asked again and then gets the delivery with its first id', async () => {
  const source = await scene.source(ECHO);
  const hook = await scene.webhook();
  const { received } = hook.receiver;
  hook.receiver.respond = (index) => ({ status: index === 0 ? 500 : 200 });
  await scene.subscribe(source.id, hook.id);
  await scene.send(source.endpoint, { n: 1 });
  await travel(clock, { byMs: HOUR, stepMs: SECOND }, () => received.length >= 2);
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  await travel(clock, { byMs: HOUR, stepMs: MINUTE });
  // A message that the queue delivers twice may be sent twice, with the same id.
  if (!hasFaults) expect(received.length).toBe(2);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('a response that breaks HTTP is a failed attempt; other webhooks of the source get the event meanwhile', async () => {
  const source = await scene.source(ECHO);
  const { id, receiver } = await scene.webhook();
  await scene.subscribe(source.id, id);
  const arrives = async (count: number) => {
    await scene.send(source.endpoint, { count });
    const isThere = () => receiver.received.length >= count;
    if (hasFaults) await travel(clock, { byMs: HOUR, stepMs: SECOND }, isThere);
    // The clock stands still: it does not wait for any retry.
    await until('it arrives', isThere, { everyMs: 5 });
  };
  await arrives(1);
  const responses = Object.values(MALFORMED);
  const malformed = await MalformedResponses.start(responses);
  onTestFinished(() => malformed.stop());
  await Promise.all(
    responses.map(async (_response, index) => {
      const { body } = await scene.api.post('/webhooks', undefined, { query: { url: malformed.url(index) } });
      await scene.subscribe(source.id, body.data.id);
    }),
  );
  await arrives(2);
  const isTriedAgain = () => responses.every((_response, index) => malformed.requestCount(index) >= 2);
  expect(await travel(clock, { byMs: HOUR, stepMs: SECOND }, isTriedAgain)).toBe(true);
});
