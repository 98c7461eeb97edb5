import { beforeEach, describe, expect, test } from 'vitest';
import type { Webhook } from '../../../../../shared/domain/webhook/webhook.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';
import { type Deliveries, openDeliveries } from '../../../../support/open-deliveries.ts';
import { retryPlayer } from '../../../../support/play-retries.ts';
import type { Received, Receiver } from '../../../../support/receiver.ts';
import type { World } from '../../../../support/world/world.ts';

/** A receiver that fails at some events, and takes all others. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let subscribed: Deliveries['subscribed'];
let player: ReturnType<typeof retryPlayer>;
beforeEach(async () => {
  ({ stage, receiver, world, subscribed } = await openDeliveries());
  player = retryPlayer(stage, world);
});

const isBad = ({ body }: Pick<Received, 'body'>) => body.includes('bad');
const failAtBad = (status: number) => {
  receiver.respond = (_, request) => ({ status: isBad(request) ? status : 200 });
};
const bad = (source: Source, n: number) => world.message(source, { bad: n });
const good = (source: Source, n: number) => world.message(source, { good: n });
const goods = () => receiver.bodies.flatMap((body) => (body as { good?: number }).good ?? []);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const healthOf = async ({ id }: Webhook) => ((await world.webhooks.find(id)) ?? expect.fail()).health;

describe('a receiver that refuses events', () => {
  test.each([422, 400, 413])(
    'with %i gets every good event after three bad ones at once, on a quiet webhook',
    async (status) => {
      const { source, hook } = await subscribed();
      failAtBad(status);
      for (const n of numbers(3)) {
        await world.deliver([bad(source, n)]);
        await player.play(SECOND);
      }
      for (const n of numbers(8)) {
        await world.deliver([good(source, n)]);
        expect(goods()).toEqual(numbers(n + 1));
        await player.play(10 * SECOND);
      }
      expect((await healthOf(hook)).breaker).toBeUndefined();
    },
  );

  test('gets every good event at once while 30 bad ones come in a burst and are tried again', async () => {
    const { source, hook } = await subscribed();
    failAtBad(422);
    for (const n of numbers(10)) {
      await world.deliver([good(source, n), ...(n === 1 ? numbers(30).map((each) => bad(source, each)) : [])]);
      expect(goods()).toEqual(numbers(n + 1));
      await player.play(SECOND);
    }
    expect(receiver.received.filter(isBad)).toHaveLength(60);
    expect((await healthOf(hook)).breaker).toBeUndefined();
  });
});

test('bad events of one emitter stop no good ones of another emitter', async () => {
  const { source: attacker, hook } = await subscribed();
  const source = await stage.source();
  await world.subscribe(source.id, hook.id);
  failAtBad(422);
  for (const n of numbers(3)) {
    await world.deliver(numbers(20).map((each) => bad(attacker, each)));
    await world.deliver([good(source, n)]);
    expect(goods()).toEqual(numbers(n + 1));
    await player.play(SECOND);
  }
});

test('three events to which the receiver answers 500 delay the good ones until the first probe, which is the newest of them', async () => {
  const { source, hook } = await subscribed();
  failAtBad(500);
  await world.deliver(numbers(3).map((n) => bad(source, n)));
  expect((await healthOf(hook)).breaker).toBeDefined();
  for (const n of numbers(5)) {
    await world.deliver([good(source, n)]);
    await player.play(SECOND);
  }
  expect(receiver.received).toHaveLength(3);
  await player.play(5 * SECOND);
  expect(goods()[0]).toBe(4);
  expect(goods().toSorted()).toEqual(numbers(5));
  expect((await healthOf(hook)).breaker).toBeUndefined();
  await world.deliver([good(source, 5)]);
  await player.play(0);
  expect(goods().at(-1)).toBe(5);
});

test('30 events in a burst to which the receiver answers 500 open no breaker beside one good event a second', async () => {
  const { source, hook } = await subscribed();
  failAtBad(500);
  for (const n of numbers(10)) {
    await world.deliver([good(source, n)]);
    if (n === 1) await world.deliver(numbers(30).map((each) => bad(source, each)));
    await player.play(SECOND);
    expect(goods().toSorted((a, b) => a - b)).toEqual(numbers(n + 1));
  }
  expect((await healthOf(hook)).breaker).toBeUndefined();
});

test('a good event on a quiet webhook whose bad one was given up is the probe, at once', async () => {
  const { source, hook } = await subscribed();
  failAtBad(500);
  await world.deliver([bad(source, 0)]);
  await player.play(7 * 24 * 60 * MINUTE);
  expect(receiver.received).toHaveLength(10);
  expect((await healthOf(hook)).breaker).toMatchObject({ isIdle: true });
  await world.deliver([good(source, 0)]);
  await player.play(0);
  expect(goods()).toEqual([0]);
  expect((await healthOf(hook)).breaker).toBeUndefined();
});

test('a webhook of which an event was refused makes first attempts: nothing takes it as suspect', async () => {
  const { source, hook } = await subscribed();
  failAtBad(422);
  await world.deliver([bad(source, 0)]);
  expect((await world.webhooks.find(hook.id))?.suspectUntil).toBeUndefined();
  await world.deliver([good(source, 0)]);
  expect(goods()).toEqual([0]);
  expect(await world.listed(hook)).toMatchObject([{ status: 'delivered', attemptCount: 1 }, {}]);
});

test('an event that the receiver refuses ends a suspicion', async () => {
  const { source } = await subscribed();
  receiver.respond = (index) => ({ status: index === 0 ? 503 : 422 });
  await world.deliver([good(source, 0)]);
  stage.clock.advance(1);
  await world.deliver([good(source, 1)]);
  // The first one made the webhook suspect, so the retries have the second one.
  expect(receiver.received).toHaveLength(1);
  await player.play(SECOND);
  expect(receiver.received).toHaveLength(2);
  receiver.respond = () => ({ status: 200 });
  await world.deliver([good(source, 2)]);
  expect(goods()).toEqual([0, 1, 2]);
});
