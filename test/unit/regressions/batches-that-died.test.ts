import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import type { DeliveryMessage } from '../../../shared/domain/run/message.ts';
import type { Webhook } from '../../../shared/domain/webhook/webhook.ts';
import type { StoredDelivery } from '../../../shared/store/deliveries/delivery-item.ts';
import { subscriptionStore } from '../../../shared/store/subscriptions/subscriptions.ts';
import type { TableOptions } from '../../../shared/store/table/table-client.ts';
import { aDelivery } from '../../support/a-delivery.ts';
import type { DeliveryWorld } from '../../support/world/deliveries.ts';
import type { Receiver } from '../../support/receiver.ts';
import { type Deliveries, openDeliveries } from '../../support/open-deliveries.ts';
import type { World } from '../../support/world/world.ts';
import { tableWith } from '../../support/table-with.ts';

/**
 * A batch of deliveries failed after it had made or stored some of them. When it came again, its match did not find a
 * webhook whose subscription was deleted meanwhile, or the log said that a copy of the batch had made the delivery: a
 * stored delivery was `pending` for ever. An attempt whose webhook could not be marked was in no log. A delivery that
 * was redelivered before its batch came again got no message.
 */

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let deliveries: Deliveries;
beforeEach(async () => {
  deliveries = await openDeliveries();
  ({ stage, receiver, world } = deliveries);
});

async function subscribed() {
  const { source, hook } = await deliveries.subscribed();
  return { source, hook, sent: world.message(source) };
}

/** Stores a delivery as a fan-out does that dies before it sends the delivery's message. */
async function store(sent: DeliveryMessage, hook: Webhook, more: Partial<StoredDelivery>): Promise<void> {
  await world.deliveries.create(aDelivery(sent, hook, more), sent);
}

async function storedOnly(more: Partial<StoredDelivery>) {
  const { source, hook, sent } = await subscribed();
  await store(sent, hook, more);
  await subscriptionStore(stage.table).removeAllOf(source.id);
  return { hook, sent };
}

const repeat = (sent: DeliveryMessage) => world.deliver([sent], stage.clock.now(), true);
const messages = () => world.retries.splice(0).map(({ message }) => message);

test('a delivery that was left to the retries is made', async () => {
  const { hook, sent } = await storedOnly({ nextAt: stage.clock.now() });
  await repeat(sent);
  for (const message of messages()) await world.retry(message);
  expect(receiver.received).toHaveLength(1);
  expect(await world.listed(hook)).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
});

test('a delivery on the list of those that wait is made', async () => {
  const { hook, sent } = await storedOnly({ list: 'waiting' });
  await repeat(sent);
  for (const message of messages()) await world.retry(message);
  expect(receiver.received).toHaveLength(1);
  expect(await world.listed(hook)).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
});

test('a delivery that one batch made, and another one stored before it died, is made', async () => {
  const { hook, sent } = await subscribed();
  await world.deliver([sent]);
  await store(sent, hook, { nextAt: stage.clock.now() });
  await repeat(sent);
  for (const message of messages()) await world.retry(message);
  expect(await world.listed(hook)).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
});

test('a delivery that was redelivered before the batch came again is tried again', async () => {
  const { hook, sent } = await subscribed();
  const failed = {
    attemptCount: 1,
    scheduleStep: 1,
    messageNumber: 1,
    status: 'retrying',
    nextAt: stage.clock.now(),
  } as const;
  const request = 'a-request';
  await store(sent, hook, { ...failed, requested: new Set([request]) });
  receiver.respond = () => ({ status: 500 });
  const { id } = aDelivery(sent, hook);
  await world.retry({ kind: 'redeliver', deliveryId: id, listenerId: hook.id, request });
  receiver.respond = () => ({ status: 200 });
  await repeat(sent);
  for (const message of messages()) await world.retry(message);
  expect(await world.listed(hook)).toMatchObject([{ status: 'delivered', attemptCount: 3 }]);
});

test('a failed attempt is in the log, although its webhook cannot be marked as suspect', async () => {
  const { hook, sent } = await subscribed();
  world = deliveries.openProcess({ table: withoutSuspects(stage.table) });
  receiver.respond = () => ({ status: 500 });
  await expect(world.deliver([sent])).rejects.toThrow('throttled');
  expect(await world.listed(hook)).toMatchObject([{ status: 'retrying', attemptCount: 1 }]);
  expect(await world.webhooks.find(hook.id)).toMatchObject({
    health: { lastAttempt: { outcome: 'rejected' } },
  });
});

/** A table that throttles every request that marks a webhook as suspect. */
const withoutSuspects = (table: TableOptions): TableOptions =>
  tableWith(table, (command) => {
    const isMark = command instanceof UpdateCommand && command.input.UpdateExpression?.includes('suspectUntil');
    if (isMark === true) throw new Error('throttled');
  });
