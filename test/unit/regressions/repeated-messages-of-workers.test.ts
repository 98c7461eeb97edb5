import { beforeEach, expect, test } from 'vitest';
import { RecoveryId } from '../../../shared/domain/id.ts';
import type { RetryMessage } from '../../../shared/domain/run/message.ts';
import type { Webhook } from '../../../shared/domain/webhook/webhook.ts';
import type { DeliveryWorld } from '../../support/world/deliveries.ts';
import type { Receiver } from '../../support/receiver.ts';
import { type Deliveries, openDeliveries } from '../../support/open-deliveries.ts';
import type { World } from '../../support/world/world.ts';

/*
 * SQS may give the message of a worker to a second one, which deletes it. If the first worker dies, no message was left
 * to go on with its work: deliveries waited for ever.
 */

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let subscribed: Deliveries['subscribed'];
beforeEach(async () => {
  ({ stage, receiver, world, subscribed } = await openDeliveries());
});

/** A webhook with one delivery that waits on its list. */
async function waiting(): Promise<Webhook> {
  const { source, hook } = await subscribed();
  receiver.respond = (index) => ({ status: index === 0 ? 500 : 200 });
  await world.deliver([world.message(source)]);
  world.retries.splice(0);
  const [{ id } = expect.fail('no delivery')] = await world.listed(hook);
  const delivery = (await world.deliveries.find(hook.id, id)) ?? expect.fail('no delivery');
  await world.deliveries.move(delivery, 'waiting');
  return hook;
}

/** A worker that takes its lease and dies. */
const deadWorker = ({ id }: Webhook, work: 'drain' | 'recovery') =>
  world.retryServices.leases.acquire(id, stage.clock.now(), work);

/** Hands over messages in the order in which they become visible, until none is left. Returns how many there were. */
async function handAll(): Promise<number> {
  for (let count = 0; ; count += 1) {
    world.retries.sort((a, b) => a.delaySeconds - b.delaySeconds);
    const next = world.retries.shift();
    if (!next) return count;
    stage.clock.advance(next.delaySeconds * 1_000);
    await world.retry(next.message);
  }
}

test('a drain goes on after its worker died, although a second worker deleted the message', async () => {
  const hook = await waiting();
  await deadWorker(hook, 'drain');
  await world.retry({ kind: 'drain', listenerId: hook.id });
  await handAll();
  expect(await world.listed(hook)).toMatchObject([{ status: 'delivered', attemptCount: 2 }]);
});

test('a drain has one message that follows it, however many messages find its worker at work', async () => {
  const hook = await waiting();
  await deadWorker(hook, 'drain');
  for (let times = 0; times < 20; times += 1) await world.retry({ kind: 'drain', listenerId: hook.id });
  expect(world.retries).toHaveLength(1);
  stage.clock.advance(20_000);
  await deadWorker(hook, 'drain');
  expect(await handAll()).toBeLessThan(4);
});

test('a part of a recovery goes on after its worker died, although a second worker deleted the message', async () => {
  const hook = await waiting();
  const id = RecoveryId.parse('rc_1');
  const job = {
    since: 0,
    until: stage.clock.now() + 1,
    found: 1,
    sent: 0,
    delivered: 0,
    chunk: 0,
    startedAt: 0,
  };
  await world.retryServices.recoveries.put(hook.id, { id, status: 'running', ...job }, undefined);
  const message: RetryMessage = { kind: 'recover', listenerId: hook.id, recoveryId: id, part: 0 };
  await deadWorker(hook, 'recovery');
  await world.retry(message);
  await handAll();
  expect(await world.listed(hook)).toMatchObject([{ status: 'delivered', attemptCount: 2 }]);
  expect(await world.retryServices.recoveries.find(hook.id)).toMatchObject({
    status: 'done',
    sent: 1,
    delivered: 1,
  });
});

test('a message that follows a part is void when the part has ended', async () => {
  const hook = await waiting();
  const id = RecoveryId.parse('rc_1');
  const job = { since: 0, until: stage.clock.now() + 1, found: 1, sent: 0, chunk: 0, startedAt: 0 };
  await world.retryServices.recoveries.put(hook.id, { id, status: 'running', ...job }, undefined);
  const message: RetryMessage = { kind: 'recover', listenerId: hook.id, recoveryId: id, part: 0 };
  const release = (await deadWorker(hook, 'recovery')) ?? expect.fail('no lease');
  await world.retry(message);
  await release();
  await world.retry(message);
  expect(await handAll()).toBe(1);
  expect(receiver.received).toHaveLength(2);
});
