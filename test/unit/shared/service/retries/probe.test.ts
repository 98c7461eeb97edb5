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

/** A webhook whose breaker three failed events have just opened. */
async function opened() {
  const { source, hook } = await subscribed();
  receiver.respond = () => ({ status: 500 });
  await send(source, 0, 1, 2);
  expect(await breakerOf(hook)).toMatchObject({ probe: 1, probeAt: stage.clock.now() + 10 * SECOND });
  return { source, hook };
}

describe('the probe of an open breaker', () => {
  test('is the newest delivery without an attempt', async () => {
    const { source } = await opened();
    await player.play(6 * SECOND);
    await send(source, 3);
    stage.clock.advance(1);
    await send(source, 4);
    await player.play(4 * SECOND);
    expect(sentSince(3)).toEqual([4]);
  });

  test('is a due delivery, and takes its step', async () => {
    const { hook } = await opened();
    await player.play(31 * SECOND);
    const [first, second] = sentSince(3);
    expect(sentSince(3)).toHaveLength(2);
    expect(first).not.toBe(second);
    const attempted = (await world.listed(hook)).filter(({ attemptCount }) => attemptCount === 2);
    expect(attempted).toHaveLength(2);
    for (const { lastAttempt, nextAt = 0 } of attempted)
      expect(nextAt - (lastAttempt?.at ?? 0)).toBeGreaterThanOrEqual(4 * MINUTE);
  });

  test('is not the one of the last probe, though it is the oldest, while another is due', async () => {
    const { hook } = await opened();
    for (const delivery of (await world.listed(hook)).slice(1)) {
      const stored = (await world.deliveries.find(hook.id, delivery.id)) ?? expect.fail();
      await world.deliveries.move({ ...stored, nextAt: undefined }, 'waiting');
    }
    const webhook = (await world.webhooks.find(hook.id)) ?? expect.fail();
    const breaker = webhook.health.breaker ?? expect.fail();
    const [, , last] = await world.listed(hook);
    const health = { ...webhook.health, breaker: { ...breaker, lastProbed: last?.id } };
    await world.webhooks.change(webhook, { health });
    await world.retry({ kind: 'probe', listenerId: hook.id, probe: 1 });
    const [, newer, older] = await world.listed(hook);
    expect([newer?.attemptCount, older?.attemptCount]).toEqual([2, 1]);
  });

  test('is never a delivery that is not due: the next one to be due is the probe, at once', async () => {
    const { hook } = await opened();
    await player.play(3 * MINUTE);
    // Each of the three took its second step: nothing is due for four minutes at least.
    expect(sentSince(3).toSorted()).toEqual([0, 1, 2]);
    expect(await breakerOf(hook)).toMatchObject({ isIdle: true });
    const { nextAt = 0 } = (await world.listed(hook)).toSorted((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0))[0] ?? {};
    await player.play(nextAt - stage.clock.now() + SECOND);
    expect(requests).toHaveLength(7);
    expect((requests[6]?.at ?? 0) - nextAt).toBeLessThanOrEqual(SECOND);
  });

  test('is a delivery whose message came a moment early, because the clocks of two machines differ', async () => {
    const { hook } = await opened();
    const [retry] = player.waiting('retry');
    if (retry?.kind !== 'retry') return expect.fail();
    const { nextAt = 0 } = (await world.deliveries.find(hook.id, retry.deliveryId)) ?? expect.fail();
    stage.clock.advance(nextAt - 500 - stage.clock.now());
    await world.retryAhead(retry);
    await world.retry({ kind: 'probe', listenerId: hook.id, probe: 1 });
    expect(requests).toHaveLength(4);
    expect(await world.deliveries.find(hook.id, retry.deliveryId)).toMatchObject({ attemptCount: 2 });
  });

  test('keeps the rate limit', async () => {
    const { hook } = await opened();
    await world.webhooks.change((await world.webhooks.find(hook.id)) ?? expect.fail(), { rateLimit: 1 });
    await player.play(9 * SECOND);
    const slots = { reserve: () => Promise.resolve([]) };
    const probe = { kind: 'probe', listenerId: hook.id, probe: 1 } as const;
    await world.retryHandler({ slots })(probe);
    expect(requests).toHaveLength(3);
    expect(world.retries).toContainEqual({ message: probe, delaySeconds: 1 });
  });

  test('is made once, however many copies of its message come at the same time', async () => {
    const { source, hook } = await opened();
    await send(source, 3);
    const held = gate();
    receiver.respond = () => ({ status: 500, after: held.opened });
    stage.clock.advance(10 * SECOND);
    const probe = { kind: 'probe', listenerId: hook.id, probe: 1 } as const;
    const first = world.retry(probe);
    await until('the probe is sent', () => requests.length === 4);
    await send(source, 4);
    await world.retry(probe);
    expect(requests).toHaveLength(4);
    held.open();
    await first;
    await world.retry(probe);
    expect(requests).toHaveLength(4);
  });

  test('needs one message, however many deliveries wait for an idle breaker', async () => {
    const { source, hook } = await opened();
    await player.play(3 * MINUTE);
    expect(await breakerOf(hook)).toMatchObject({ isIdle: true });
    const held = gate();
    receiver.respond = () => ({ status: 500, after: held.opened });
    for (const n of [3, 4, 5, 6]) await send(source, n);
    expect(player.waiting('probe')).toHaveLength(1);
    held.open();
    await player.play(SECOND);
    expect(sentSince(6)).toEqual([6]);
  });

  test('finds nothing twice and the next delivery still gets one', async () => {
    const { source, hook } = await opened();
    await player.play(3 * MINUTE);
    const probe = { kind: 'probe', listenerId: hook.id, probe: 4 } as const;
    // Another instance has read the idle breaker and sent a message, which comes before its delivery is listed.
    const idle = (await world.webhooks.find(hook.id)) ?? expect.fail();
    await world.retry(probe);
    const { breaker } = idle.health;
    if (!breaker) return expect.fail();
    const change = { health: { ...idle.health, breaker: { ...breaker, isIdle: undefined } } };
    expect(await world.webhooks.change(idle, change)).toBeUndefined();
    receiver.respond = () => ({ status: 200 });
    await send(source, 3);
    await player.play(SECOND);
    expect(sentSince(6)[0]).toBe(3);
  });
});
