import { beforeEach, describe, expect, test } from 'vitest';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import type { Webhook } from '../../../../../shared/domain/webhook/webhook.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';
import { gate } from '../../../../support/gate.ts';
import { type Deliveries, openDeliveries } from '../../../../support/open-deliveries.ts';
import { retryPlayer } from '../../../../support/play-retries.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { World } from '../../../../support/world/world.ts';
import { until } from '../../../../support/until.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let subscribed: Deliveries['subscribed'];
let player: ReturnType<typeof retryPlayer>;
let requests: { n: number; at: number }[];
beforeEach(async () => {
  ({ stage, receiver, world, subscribed } = await openDeliveries());
  player = retryPlayer(stage, world);
  requests = [];
  receiver.onReceived = ({ body }) =>
    requests.push({ n: (JSON.parse(body) as { n: number }).n, at: stage.clock.now() });
});

const send = (source: Source, ...numbers: number[]) => world.deliver(numbers.map((n) => world.message(source, { n })));
const breakerOf = async ({ id }: Webhook) => ((await world.webhooks.find(id)) ?? expect.fail()).health.breaker;
const sentSince = (start: number) => requests.slice(start).map(({ n }) => n);
const statusOf = async (hook: Webhook) => (await world.listed(hook)).map(({ status }) => status).toReversed();

/** A webhook whose breaker three failed events have just opened. */
async function opened() {
  const { source, hook } = await subscribed();
  receiver.respond = () => ({ status: 500 });
  await send(source, 0, 1, 2);
  expect(await breakerOf(hook)).toMatchObject({ probe: 1, probeAt: stage.clock.now() + 10 * SECOND });
  return { source, hook };
}

describe('an open breaker', () => {
  test.each([
    ['a success', 200],
    ['an answer about the event', 422],
  ])('closes after %s: what waits is sent, oldest first', async (_, status) => {
    const { source, hook } = await opened();
    await player.play(6 * SECOND);
    for (const n of [3, 4, 5, 6]) {
      await send(source, n);
      stage.clock.advance(1);
    }
    receiver.respond = (_index, { body }) => ({ status: body === '{"n":6}' ? status : 200 });
    // One after the other, so that the order of the requests is that of the attempts.
    await world.webhooks.change((await world.webhooks.find(hook.id)) ?? expect.fail(), { rateLimit: 1 });
    const slots = { reserve: ({ now }: { now: number }) => Promise.resolve([now]) };
    const before = requests.length;
    await player.play(5 * SECOND, world.retryHandler({ slots }));
    expect(await breakerOf(hook)).toBeUndefined();
    expect(sentSince(before)).toEqual([6, 0, 1, 2, 3, 4, 5]);
    expect((await statusOf(hook)).slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'delivered'));
  });

  test('that closes sends the deliveries of its probes at once, whatever their next step', async () => {
    const { source, hook } = await opened();
    await player.play(4 * HOUR);
    const pauses = (await world.listed(hook)).map(({ nextAt = 0 }) => nextAt - stage.clock.now());
    expect(Math.max(...pauses)).toBeGreaterThan(HOUR);
    receiver.respond = () => ({ status: 200 });
    await send(source, 3);
    await player.play(10 * MINUTE);
    expect(await statusOf(hook)).toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
  });

  test('that closes sends nothing before the time that a receiver asked for, and all of it then', async () => {
    const { source, hook } = await opened();
    receiver.respond = () => ({ status: 503, headers: { 'retry-after': '90' } });
    await player.play(12 * SECOND);
    expect(requests).toHaveLength(4);
    const asked = requests[3] ?? expect.fail();
    receiver.respond = () => ({ status: 200 });
    await send(source, 3);
    await player.play(asked.at + 89 * SECOND - stage.clock.now());
    expect(await breakerOf(hook)).toBeUndefined();
    expect(sentSince(4)).not.toContain(asked.n);
    expect((await statusOf(hook)).filter((status) => status !== 'delivered')).toHaveLength(1);
    await player.play(2 * SECOND);
    expect(sentSince(4)).toContain(asked.n);
    expect((await statusOf(hook)).filter((status) => status !== 'delivered')).toEqual([]);
  });

  test('forgets the time that a receiver asked for after the next attempt', async () => {
    const { source, hook } = await subscribed();
    receiver.respond = (index) => ({ status: 503, headers: index === 0 ? { 'retry-after': '90' } : {} });
    await send(source, 0);
    const stored = async () => {
      const [delivery] = await world.listed(hook);
      return (delivery && (await world.deliveries.find(hook.id, delivery.id))) ?? expect.fail();
    };
    expect((await stored()).notBefore).toBe(stage.clock.now() + 90 * SECOND);
    await player.play(91 * SECOND);
    expect(await stored()).toMatchObject({ attemptCount: 2 });
    expect((await stored()).notBefore).toBeUndefined();
  });

  test('leaves the ten tries of a delivery their 75.6 h', async () => {
    const { source, hook } = await opened();
    const times = new Map<number, number[]>();
    for (const n of [3, 4, 5, 6]) {
      await send(source, n);
      await player.play(25 * HOUR);
    }
    for (const { n, at } of requests) times.set(n, [...(times.get(n) ?? []), at]);
    const delays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const n of [0, 1, 2]) {
      const own = times.get(n) ?? expect.fail();
      expect(own).toHaveLength(10);
      for (const [index, delay] of delays.entries())
        expect((own[index + 1] ?? 0) - (own[index] ?? 0)).toBeGreaterThanOrEqual(delay * 0.8 * SECOND - SECOND);
    }
    expect((await statusOf(hook)).slice(0, 3)).toEqual(['failed', 'failed', 'failed']);
  });

  test('is not opened for a new URL by attempts of the one before that were under way', async () => {
    const { source, hook } = await subscribed();
    const held = gate();
    receiver.respond = () => ({ status: 500, after: held.opened });
    const delivered = send(source, 0, 1, 2, 3, 4);
    await until('they are sent', () => requests.length === 5);
    stage.clock.advance(SECOND);
    const health = { recent: [], renewedAt: stage.clock.now() };
    await world.webhooks.change((await world.webhooks.find(hook.id)) ?? expect.fail(), { health });
    held.open();
    await delivered;
    expect(await breakerOf(hook)).toBeUndefined();
  });
});
