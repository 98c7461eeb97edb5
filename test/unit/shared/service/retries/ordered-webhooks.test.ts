import { beforeEach, describe, expect, test } from 'vitest';
import { createUnreadableItems } from '../../../../../bin/admin/unreadable-items.ts';
import { deliveryStore } from '../../../../../shared/store/deliveries/deliveries.ts';
import { waitingAndHeldDeliveries } from '../../../../../shared/store/deliveries/delivery-lists.ts';
import { workflowStore } from '../../../../../shared/store/emitters/workflows.ts';
import { resumeUser, suspendUser } from '../../../../../shared/service/users/suspend-user.ts';
import { userStore } from '../../../../../shared/store/users/users.ts';
import { LONGEST_FAN_OUT_MS } from '../../../../../shared/store/events/fan-outs.ts';
import type { DeliveryMessage } from '../../../../../shared/domain/run/message.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import type { Webhook } from '../../../../../shared/domain/webhook/webhook.ts';
import { startRecovery } from '../../../../../shared/service/webhooks/start-recovery.ts';
import { gate } from '../../../../support/gate.ts';
import { type Deliveries, openDeliveries } from '../../../../support/open-deliveries.ts';
import { retryPlayer } from '../../../../support/play-retries.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import { until } from '../../../../support/until.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';
import type { World } from '../../../../support/world/world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let openProcess: Deliveries['openProcess'];
let subscribed: Deliveries['subscribed'];
let player: ReturnType<typeof retryPlayer>;
let received: { n: number; at: number }[];
/** The responses to the events with these numbers; others get a 200. */
let statusOf: Map<number, number>;
beforeEach(async () => {
  ({ stage, receiver, world, openProcess, subscribed } = await openDeliveries());
  player = retryPlayer(stage, world);
  received = [];
  statusOf = new Map();
  receiver.onReceived = ({ body }) => received.push({ n: numberIn(body), at: stage.clock.now() });
  receiver.respond = (_, { body }) => ({ status: statusOf.get(numberIn(body)) ?? 200 });
});

const numberIn = (body: string) => (JSON.parse(body) as { n: number }).n;
const numbers = () => received.map(({ n }) => n);

/** Events of a source with these numbers, each a second after the one before. */
function events(source: Source, ...ns: number[]): DeliveryMessage[] {
  return ns.map((n) => {
    stage.clock.advance(SECOND);
    return world.message(source, { n });
  });
}
const ordered = () => subscribed({ ordered: true });
const current = async ({ id }: Webhook) => (await world.webhooks.find(id)) ?? expect.fail();
const statuses = async (hook: Webhook) => (await world.listed(hook)).map(({ status }) => status).toReversed();

describe('an ordered webhook', () => {
  test('gets the events of one emitter one at a time, in the order of their ids', async () => {
    const { source } = await ordered();
    const all = events(source, 1, 2, 3, 4, 5);
    let [open, most] = [0, 0];
    receiver.respond = () => {
      open += 1;
      most = Math.max(most, open);
      return { status: 200, after: Promise.resolve().then(() => void (open -= 1)) };
    };
    await world.deliver([3, 0, 4, 1, 2].flatMap((index) => all[index] ?? []));
    await player.play(SECOND);
    expect(numbers()).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(1);
  });

  test('gets the events of other emitters meanwhile', async () => {
    const { source, hook } = await ordered();
    const other = await stage.source();
    await world.subscribe(other.id, hook.id);
    const held = gate();
    receiver.respond = (_, { body }) => (numberIn(body) === 1 ? { status: 200, after: held.opened } : { status: 200 });
    await world.deliver([...events(source, 1, 2), ...events(other, 11, 12)]);
    const playing = player.play(SECOND);
    await until('the other emitter has sent its events', () => received.length === 3);
    expect(numbers().toSorted((a, b) => a - b)).toEqual([1, 11, 12]);
    held.open();
    await playing;
    expect(numbers()).toHaveLength(4);
  });

  test('gets a refused event three times more, after 5 s, 5 min and 30 min; then the next one goes on', async () => {
    const { source, hook } = await ordered();
    statusOf.set(1, 422);
    await world.deliver(events(source, 1, 2));
    await player.play(36 * MINUTE + 10 * SECOND);
    await player.play(10 * MINUTE);
    expect(numbers()).toEqual([1, 1, 1, 1, 2]);
    const pauses = received.slice(1, 4).map(({ at }, index) => at - (received[index]?.at ?? 0));
    for (const [index, ms] of [5 * SECOND, 5 * MINUTE, 30 * MINUTE].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(0.8 * ms);
      expect(pauses[index]).toBeLessThanOrEqual(1.2 * ms + 2 * SECOND);
    }
    expect(await statuses(hook)).toEqual(['failed', 'delivered']);
  });

  test('waits for a receiver that fails, by the pauses of the breaker, and takes no step', async () => {
    const { source, hook } = await ordered();
    statusOf.set(1, 500);
    await world.deliver(events(source, 1, 2));
    await player.play(2 * 60 * MINUTE);
    const pauses = received.slice(1).map(({ at }, index) => at - (received[index]?.at ?? 0));
    expect(numbers().every((n) => n === 1)).toBe(true);
    expect(pauses.slice(0, 2)).toEqual([10 * SECOND, 20 * SECOND]);
    expect((await current(hook)).health.breaker).toBeDefined();
    for (const pause of pauses) expect(pause).toBeLessThanOrEqual(10 * MINUTE + 2 * SECOND);
    expect(received.length).toBeGreaterThan(12);
    const [, first] = await world.listed(hook);
    expect(await world.deliveries.find(hook.id, first?.id ?? expect.fail())).toMatchObject({ scheduleStep: 0 });
    statusOf.clear();
    await player.play(11 * MINUTE);
    expect(numbers().slice(-2)).toEqual([1, 2]);
    expect(await statuses(hook)).toEqual(['delivered', 'delivered']);
  });

  test('gives up an event for which it fails for five days, though it takes others; then the next one goes on', async () => {
    const { source, hook } = await ordered();
    const other = await stage.source();
    await world.subscribe(other.id, hook.id);
    statusOf.set(1, 500);
    await world.deliver(events(source, 1, 2));
    await player.play(SECOND);
    stage.clock.advance(5 * DAY);
    await world.deliver(events(other, 11));
    await player.play(MINUTE);
    expect(numbers()).toContain(2);
    expect((await statuses(hook))[0]).toBe('failed');
    expect(await current(hook)).toMatchObject({ active: true });
  });

  test('does not wait for an event that its filter refuses', async () => {
    const { source, hook } = await ordered();
    const [first, second] = events(source, 1, 2);
    await world.deliver([{ ...(first ?? expect.fail()), stream: '$logs' }, second ?? expect.fail()]);
    await player.play(SECOND);
    expect(numbers()).toEqual([2]);
    expect(await statuses(hook)).toEqual(['delivered']);
  });

  test('gets a redelivery out of order', async () => {
    const { source, hook } = await ordered();
    statusOf.set(1, 422);
    await world.deliver(events(source, 1, 2, 3));
    await player.play(SECOND);
    const third = (await world.listed(hook))[0] ?? expect.fail();
    const stored = (await world.deliveries.find(hook.id, third.id)) ?? expect.fail();
    await world.deliveries.request(stored, { request: 'r', requestedAt: [stage.clock.now()] });
    await world.retry({ kind: 'redeliver', deliveryId: third.id, listenerId: hook.id, request: 'r' });
    expect(numbers()).toEqual([1, 3]);
    statusOf.clear();
    await player.play(10 * SECOND);
    expect(numbers()).toEqual([1, 3, 1, 2]);
    expect(await statuses(hook)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('costs 11 write units and 8 read units an event where a hundred wait', async () => {
    const { source } = await ordered();
    const all = events(source, ...Array.from({ length: 100 }, (_, n) => n));
    const { read, write } = { ...stage.units };
    await world.retryServices.fanOuts.mark(
      source.id,
      all.map(({ eventId }) => eventId),
    );
    for (let start = 0; start < all.length; start += 10)
      await world.deliver(all.slice(start, start + 10).map((message) => ({ ...message, isMarked: true })));
    await player.play(10 * SECOND);
    expect(numbers()).toHaveLength(100);
    expect((stage.units.write - write) / 100).toBeLessThan(11.5);
    expect((stage.units.read - read) / 100).toBeLessThan(8.5);
  });

  test('keeps its rate limit', async () => {
    const { source } = await subscribed({ ordered: true, rateLimit: 1 });
    await world.deliver(events(source, 1, 2));
    await player.play(0);
    expect(numbers().length).toBeLessThanOrEqual(2);
    await player.play(20 * SECOND);
    expect(numbers()).toEqual([1, 2]);
  });
});

describe('the next event', () => {
  test('waits for an earlier one whose fan-out is not done', async () => {
    const { source } = await ordered();
    const [first = expect.fail(), second = expect.fail()] = events(source, 1, 2);
    const { fanOuts } = world.retryServices;
    await fanOuts.mark(source.id, [first.eventId, second.eventId]);
    const marked = [first, second].map((message) => ({ ...message, isMarked: true }));
    await world.deliver(marked.slice(1));
    await player.play(SECOND);
    expect(numbers()).toEqual([]);
    await world.deliver(marked.slice(0, 1));
    await player.play(11 * SECOND);
    expect(numbers()).toEqual([1, 2]);
    expect(await fanOuts.oldest(source.id)).toBeUndefined();
  });

  test('waits two hours at most: the message of the other one is a dead letter then', async () => {
    const { source } = await ordered();
    const [first = expect.fail(), second = expect.fail()] = events(source, 1, 2);
    await world.retryServices.fanOuts.mark(source.id, [first.eventId]);
    await world.deliver([second]);
    stage.clock.advance(LONGEST_FAN_OUT_MS + SECOND);
    await player.play(SECOND);
    expect(numbers()).toEqual([2]);
  });

  test('follows when the worker died in the middle of an attempt', async () => {
    const { source } = await ordered();
    await world.deliver(events(source, 1, 2));
    const [drain = expect.fail()] = player.waiting('drain');
    const underWay = gate();
    void openProcess().retryHandler({ attempt: () => underWay.open() })(drain);
    await underWay.opened;
    await player.play(0);
    expect(numbers()).toEqual([]);
    await player.play(3 * MINUTE);
    expect(numbers()).toEqual([1, 2]);
  });

  test('is sent at once after the webhook was switched to no order, and those before stay in order', async () => {
    const { source, hook } = await ordered();
    statusOf.set(1, 422);
    await world.deliver(events(source, 1, 2));
    await player.play(0);
    await world.webhooks.change(await current(hook), { ordered: false });
    await world.deliver(events(source, 3));
    expect(numbers()).toEqual([1, 3]);
    statusOf.clear();
    await player.play(10 * SECOND);
    expect(numbers()).toEqual([1, 3, 1, 2]);
  });
});

describe('a recovery of an ordered webhook', () => {
  const recover = async (hook: Webhook) =>
    startRecovery(
      { ...world.retryServices, random: (bytes) => new Uint8Array(bytes), sendRetry: world.retryServices.sendRetry },
      { webhook: await current(hook), since: stage.clock.now() - DAY },
    );

  test('sends what failed and what was held first, in order, and new events wait behind', async () => {
    const { source, hook } = await ordered();
    statusOf.set(1, 422);
    await world.deliver(events(source, 1));
    await player.play(50 * MINUTE);
    expect(await statuses(hook)).toEqual(['failed']);
    await world.webhooks.change(await current(hook), { active: false });
    await world.deliver(events(source, 2, 3));
    await world.webhooks.change(await current(hook), { active: true });
    received.length = 0;
    statusOf.clear();
    await recover(hook);
    await world.deliver(events(source, 4));
    // The recovery has not put its deliveries back.
    await world.retry({ kind: 'drain', listenerId: hook.id });
    expect(numbers()).toEqual([]);
    await player.play(MINUTE);
    expect(numbers()).toEqual([1, 2, 3, 4]);
    expect(await world.retryServices.recoveries.find(hook.id)).toMatchObject({
      ...{ status: 'done', found: 3, sent: 3, delivered: 3 },
    });
  });
});

test('an ordered webhook of a user who is resumed gets what was held in order, and nothing is lost', async () => {
  const { source, hook } = await ordered();
  const { table } = stage;
  const deliveries = deliveryStore(table, () => stage.clock.now());
  const services = {
    users: userStore(table),
    sources: stage.sources,
    webhooks: world.webhooks,
    workflows: workflowStore(table),
    waitingAndHeldDeliveries: waitingAndHeldDeliveries(table),
    backlogs: { waiting: () => Promise.resolve(new Map<never, never>()) },
    waitingTriggers: { next: () => Promise.resolve([]) },
    sendDrain: () => Promise.resolve(),
    sendRetry: world.retryServices.sendRetry,
    unreadable: createUnreadableItems(),
    now: () => stage.clock.now(),
  };
  await suspendUser(services, source.ownerId);
  await world.deliver(events(source, 1, 2, 3));
  await player.play(MINUTE);
  expect(numbers()).toEqual([]);
  expect(await statuses(hook)).toEqual(['held', 'held', 'held']);
  const [{ id: newest } = expect.fail(), , { id: oldest } = expect.fail()] = await world.listed(hook);
  // The newest one is put back first, and a worker looks then.
  const looked = gate();
  const enqueue: typeof deliveries.enqueue = async (delivery) => {
    if (delivery.id === oldest) await looked.opened;
    const isPut = await deliveries.enqueue(delivery);
    if (delivery.id === newest) {
      await world.retry({ kind: 'drain', listenerId: hook.id });
      looked.open();
    }
    return isPut;
  };
  const resumed = await resumeUser({ ...services, deliveries: { ...deliveries, enqueue } }, source.ownerId);
  expect(resumed.deliveries).toBe(3);
  await world.deliver(events(source, 4));
  await player.play(MINUTE);
  expect(numbers()).toEqual([1, 2, 3, 4]);
  expect(await statuses(hook)).toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
});
