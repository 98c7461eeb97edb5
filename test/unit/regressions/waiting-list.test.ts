import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import type { Webhook } from '../../../shared/domain/webhook/webhook.ts';
import { waitingDeliveries } from '../../../shared/service/retries/waiting-deliveries.ts';
import { ownedDeliveries } from '../../../shared/service/delivery/owned-deliveries.ts';
import { deliveryStore } from '../../../shared/store/deliveries/deliveries.ts';
import type { StoredDelivery } from '../../../shared/store/deliveries/delivery-item.ts';
import { waitingAndHeldDeliveries } from '../../../shared/store/deliveries/delivery-lists.ts';
import { aDelivery } from '../../support/a-delivery.ts';
import type { DeliveryWorld } from '../../support/world/deliveries.ts';
import { openDeliveries } from '../../support/open-deliveries.ts';
import type { World } from '../../support/world/world.ts';
import { dyingTable, tableWith } from '../../support/table-with.ts';

/**
 * A worker removed the old entry of a delivery from the list of those that wait, while the delivery joined the list
 * again: its entry was gone, and nothing sent it. It also ended when many entries of deliveries that were not there
 * came first.
 */

let stage: World;
let world: DeliveryWorld;
beforeEach(async () => {
  ({ stage, world } = await openDeliveries());
});

const now = () => stage.clock.now();
const storeOf = (table = stage.table) =>
  ownedDeliveries({
    deliveries: deliveryStore(table, now),
    bucket: stage.bucket,
    count: () => undefined,
    now,
  });
async function waiting(hook: Webhook, deliveries = storeOf()): Promise<StoredDelivery[]> {
  const services = {
    deliveries,
    waitingAndHeld: waitingAndHeldDeliveries(stage.table),
    onUnreadable: () => undefined,
    now,
  };
  const found: StoredDelivery[] = [];
  for await (const delivery of waitingDeliveries(services, hook.id, { order: 'oldest', pageSize: 21 }))
    found.push(delivery);
  return found;
}

async function made() {
  const [source, hook] = [await stage.source(), await world.webhook({ url: 'http://127.0.0.1:9/' })];
  return { hook, message: () => world.message(source) };
}

/** A table before whose deletions, and afterwards at the latest, the delivery joins the list. */
function joining(delivery: StoredDelivery) {
  let joined: Promise<boolean> | undefined;
  const join = async () => void (await (joined ??= storeOf().move(delivery, 'waiting')));
  const table = tableWith(stage.table, async (command) => {
    if (command instanceof DeleteCommand) await join();
  });
  return { join, table };
}

test('a delivery that joins the list while its old entry is removed is sent', async () => {
  const { hook, message } = await made();
  const sent = message();
  const delivery = aDelivery(sent, hook);
  await storeOf().create(delivery, sent);
  await expect(storeOf(dyingTable(stage.table, 1)).move(delivery, 'waiting')).rejects.toThrow('power');
  stage.clock.advance(130_000);
  const { join, table } = joining(delivery);
  await waiting(hook, storeOf(table));
  await join();
  expect(await waiting(hook)).toMatchObject([{ id: delivery.id }]);
});

test('a delivery that joins the list while another process fails to take it there is sent', async () => {
  const { hook, message } = await made();
  const sent = message();
  const delivery = aDelivery(sent, hook);
  await storeOf().create(delivery, sent);
  const { join, table } = joining(delivery);
  expect(await storeOf(table).create({ ...delivery, list: 'waiting' }, sent)).toBe(false);
  await join();
  expect(await waiting(hook)).toMatchObject([{ id: delivery.id }]);
});

test('a delivery is sent although many entries without deliveries come first', async () => {
  const { hook, message } = await made();
  for (let n = 0; n < 45; n += 1) {
    const sent = message();
    const dying = storeOf(dyingTable(stage.table, 1));
    await expect(dying.create(aDelivery(sent, hook, { list: 'waiting' }), sent)).rejects.toThrow('power');
  }
  stage.clock.advance(1_000);
  const sent = message();
  const delivery = aDelivery(sent, hook, { list: 'waiting' });
  await storeOf().create(delivery, sent);
  expect(await waiting(hook)).toMatchObject([{ id: delivery.id }]);
});
