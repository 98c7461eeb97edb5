import { beforeEach, expect, test } from 'vitest';
import { HEALTHY } from '../../../../../shared/domain/webhook/webhook-health.ts';
import type { Webhook } from '../../../../../shared/domain/webhook/webhook.ts';
import { createHeldLimit, MAX_HELD } from '../../../../../shared/service/delivery/held-limit.ts';
import type { UnreadableItem } from '../../../../../shared/domain/unreadable.ts';
import { waitingAndHeldDeliveries } from '../../../../../shared/store/deliveries/delivery-lists.ts';
import type { StoredDelivery } from '../../../../../shared/store/deliveries/delivery-item.ts';
import { idsBetween } from '../../../../../shared/store/deliveries/delivery-order.ts';
import { deliveryKey, webhookKey } from '../../../../../shared/store/table/keys.ts';
import { webhookStore } from '../../../../../shared/store/subscriptions/webhooks.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';
import { type Deliveries, openDeliveries } from '../../../../support/open-deliveries.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { World } from '../../../../support/world/world.ts';
import { spoil } from '../../../../support/spoil.ts';

/** A delivery that this release cannot read is named in the log. The others of its webhook go on. */

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let subscribed: Deliveries['subscribed'];
beforeEach(async () => {
  ({ stage, receiver, world, subscribed } = await openDeliveries());
});

const all = { ...idsBetween(0, Infinity), isUpwards: true };

async function storedOf({ id }: Webhook): Promise<StoredDelivery[]> {
  const found: StoredDelivery[] = [];
  for await (const delivery of world.deliveries.read(id, all)) found.push(delivery);
  return found;
}

/** Three deliveries of a webhook that failed once. The oldest cannot be read any more. */
async function threeOfOne(list?: 'waiting' | 'held') {
  const { source, hook } = await subscribed();
  receiver.respond = () => ({ status: 500 });
  for (let n = 0; n < 3; n += 1) {
    await world.deliver([world.message(source)]);
    stage.clock.advance(1_000);
  }
  const stored = await storedOf(hook);
  if (list) for (const delivery of stored) await world.deliveries.move(delivery, list);
  const [oldest, ...others] = stored;
  if (!oldest) expect.fail();
  await spoil(stage.table, deliveryKey(hook.id, oldest.id), { status: 'of another release' });
  receiver.respond = () => ({ status: 200 });
  receiver.received.length = 0;
  const [first] = world.retries.splice(0);
  stage.unreadable.length = 0;
  return { hook, oldest, others, retry: first?.message ?? expect.fail() };
}

const healthy = ({ id }: Webhook) => world.webhooks.find(id).then((found) => found ?? expect.fail());
const named = () => [...new Set(stage.unreadable.map(({ id }) => id))];

test('the drain sends the others that wait', async () => {
  const { hook, oldest, others } = await threeOfOne('waiting');
  await world.retry({ kind: 'drain', listenerId: hook.id });
  expect(receiver.received).toHaveLength(others.length);
  expect(named()).toEqual([oldest.id]);
  expect(JSON.stringify(stage.unreadable)).not.toContain('another release');
});

test('the probe of an open breaker takes another one', async () => {
  const { hook, oldest, others } = await threeOfOne('waiting');
  const breaker = { openedAt: 0, probe: 4, probeAt: stage.clock.now() };
  await webhookStore(stage.table).change(await healthy(hook), { health: { ...HEALTHY, breaker } });
  await world.retry({ kind: 'probe', listenerId: hook.id, probe: 4 });
  expect(receiver.received).toHaveLength(1);
  expect((await storedOf(hook)).filter(({ status }) => status === 'delivered')).toEqual([
    expect.objectContaining({ id: others.at(-1)?.id }),
  ]);
  expect(named()).toEqual([oldest.id]);
});

test('a webhook that is switched off holds the others', async () => {
  const { hook, others } = await threeOfOne();
  await webhookStore(stage.table).change(await healthy(hook), { active: false });
  await world.retry({ kind: 'hold', listenerId: hook.id });
  expect((await storedOf(hook)).map(({ id, status }) => [id, status])).toEqual(others.map(({ id }) => [id, 'held']));
});

test('the list of deliveries shows the others', async () => {
  const { hook, others } = await threeOfOne();
  expect((await world.listed(hook)).map(({ id }) => id).toSorted()).toEqual(others.map(({ id }) => id));
});

test('the message of the delivery itself comes back, as its retry cannot be made', async () => {
  const { retry } = await threeOfOne();
  await expect(world.retry(retry)).rejects.toThrow();
});

test('a read of two webhooks at the same time gives the one that can be read', async () => {
  const [good, bad] = [await world.webhook({}), await world.webhook({})];
  await spoil(stage.table, webhookKey(bad.id), { url: 7 });
  const [found, failed] = await Promise.allSettled([good, bad].map(({ id }) => world.webhooks.find(id)));
  expect(found).toMatchObject({ status: 'fulfilled', value: { id: good.id } });
  expect(failed).toMatchObject({ status: 'rejected' });
});

test('the limit of held deliveries discards the next ones instead of one that cannot be read', async () => {
  const { hook, oldest, others } = await threeOfOne('held');
  const waitingAndHeld = {
    ...waitingAndHeldDeliveries(stage.table),
    heldCount: () => Promise.resolve(MAX_HELD + 3),
  };
  const { deliveries } = world;
  const onUnreadable = (item: UnreadableItem) => void stage.unreadable.push(item);
  await createHeldLimit({ deliveries, waitingAndHeld, onUnreadable, now: () => stage.clock.now() })(hook.id);
  expect(named()).toEqual([oldest.id]);
  expect((await storedOf(hook)).map(({ id, status }) => [id, status])).toEqual(
    others.map(({ id }) => [id, 'discarded']),
  );
});
