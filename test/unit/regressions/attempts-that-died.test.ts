import { beforeEach, expect, test } from 'vitest';
import type { DeliveryWorld } from '../../support/world/deliveries.ts';
import type { Receiver } from '../../support/receiver.ts';
import { type Deliveries, openDeliveries } from '../../support/open-deliveries.ts';
import type { World } from '../../support/world/world.ts';
import { dyingTable } from '../../support/table-with.ts';

/**
 * A retry succeeded, and its process died between the record in the delivery and the one in the health of the webhook.
 * Nothing repeated the attempt: the webhook was shown as failing until its next event, and its five days of failure
 * went on. When it died before the record in the delivery, the log showed an attempt that the delivery did not count.
 */

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let openProcess: Deliveries['openProcess'];
let subscribed: Deliveries['subscribed'];
beforeEach(async () => {
  ({ stage, receiver, world, openProcess, subscribed } = await openDeliveries());
});

test.each([0, 1, 2, 3])(
  'log and health of a webhook agree after a retry in a process that died after %i writes',
  async (writes) => {
    const { source, hook } = await subscribed();
    receiver.respond = () => ({ status: 500 });
    await world.deliver([world.message(source)]);
    const message = world.retries.splice(0)[0]?.message ?? expect.fail('no retry');
    stage.clock.advance(5_000);
    receiver.respond = () => ({ status: 200 });
    const dying = openProcess({ table: dyingTable(stage.table, writes) });
    await dying.retry(message).catch(() => undefined);
    const [left] = await world.listed(hook);
    expect(left && (await world.list.attempts(left))).toHaveLength(left?.attemptCount ?? 0);
    stage.clock.advance(60_000);
    await world.retry(message);
    expect(await world.listed(hook)).toMatchObject([{ status: 'delivered' }]);
    expect((await world.webhooks.find(hook.id))?.health.failingSince).toBeUndefined();
  },
);
