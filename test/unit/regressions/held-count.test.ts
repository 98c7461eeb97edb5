import { beforeEach, describe, expect, test } from 'vitest';
import type { Webhook } from '../../../shared/domain/webhook/webhook.ts';
import { deliveryStore } from '../../../shared/store/deliveries/deliveries.ts';
import type { StoredDelivery } from '../../../shared/store/deliveries/delivery-item.ts';
import { waitingAndHeldDeliveries } from '../../../shared/store/deliveries/delivery-lists.ts';
import { aDelivery } from '../../support/a-delivery.ts';
import type { DeliveryWorld } from '../../support/world/deliveries.ts';
import { openDeliveries } from '../../support/open-deliveries.ts';
import type { World } from '../../support/world/world.ts';
import { dyingTable } from '../../support/table-with.ts';

/**
 * A process that died between the list of held deliveries and the delivery left an entry, which `held_count` counted
 * for 14 days.
 */

let stage: World;
let world: DeliveryWorld;
beforeEach(async () => {
  ({ stage, world } = await openDeliveries());
});

const WRITES = [0, 1, 2, 3];
const dying = (writes: number) => deliveryStore(dyingTable(stage.table, writes), () => stage.clock.now());

async function made() {
  const [source, hook] = [await stage.source(), await world.webhook({ url: 'http://127.0.0.1:9/' })];
  const message = world.message(source);
  return { hook, message, delivery: aDelivery(message, hook) };
}

/** Held deliveries by their list, and by themselves. */
async function counts(hook: Webhook) {
  const listed = await waitingAndHeldDeliveries(stage.table).heldCount(hook.id, stage.clock.now());
  return [listed, (await world.listed(hook)).filter(({ status }) => status === 'held').length];
}

describe.each(WRITES)('after a process died with %i writes, held_count is the number of held deliveries', (writes) => {
  test('when it created a held delivery', async () => {
    const { hook, message, delivery } = await made();
    const held: StoredDelivery = { ...delivery, status: 'held', list: 'held' };
    await dying(writes)
      .create(held, { body: { payload: message.payload } })
      .catch(() => undefined);
    const [listed, stored] = await counts(hook);
    expect(listed).toBe(stored);
  });

  test.each(['waiting', undefined] as const)('when it held a delivery on the list %s', async (list) => {
    const { hook, message, delivery } = await made();
    const stored: StoredDelivery = list === undefined ? delivery : { ...delivery, list };
    await world.deliveries.create(stored, message);
    await dying(writes)
      .move(stored, 'held')
      .catch(() => undefined);
    const [listed, held] = await counts(hook);
    expect(listed).toBe(held);
  });

  test('when it discarded a held delivery', async () => {
    const { hook, message, delivery } = await made();
    const held: StoredDelivery = { ...delivery, status: 'held', list: 'held' };
    await world.deliveries.create(held, message);
    await dying(writes)
      .end(held, 'discarded')
      .catch(() => undefined);
    const [listed, still] = await counts(hook);
    expect(listed).toBe(still);
  });
});
