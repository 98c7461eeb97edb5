import { afterEach, beforeEach, expect, test } from 'vitest';
import { deliveryWorld, type DeliveryWorld } from '../../support/delivery-world.ts';
import { Receiver } from '../../support/receiver.ts';
import { type Harness, harness } from '../../support/runs-harness.ts';
import { dyingTable } from '../../support/table-with.ts';

/**
 * A retry succeeded, and its process died between the record in the delivery and the one in the health of the webhook. Nothing repeated
 * the attempt: the webhook was shown as failing until its next event, and its five days of failure went on. When it died before the record
 * in the delivery, the log showed an attempt that the delivery did not count.
 */

let stage: Harness;
let receiver: Receiver;
let world: DeliveryWorld;
beforeEach(async () => {
  stage = await harness();
  await stage.user();
  receiver = await Receiver.start();
  world = deliveryWorld(stage);
});
afterEach(async () => {
  await world.agent.destroy();
  await receiver.stop();
  await stage.close();
});

async function subscribed() {
  const [source, hook] = [await stage.source(), await world.webhook({ url: receiver.url })];
  await world.subscribe(source.id, hook.id);
  return { hook, send: (again: DeliveryWorld) => again.deliver([world.message(source)]) };
}

test.each([0, 1, 2, 3])(
  'log and health of a webhook agree after a retry in a process that died after %i writes',
  async (writes) => {
    const { hook, send } = await subscribed();
    receiver.answer = () => ({ status: 500 });
    await send(world);
    const message = world.retries.splice(0)[0]?.message ?? expect.fail('no retry');
    stage.clock.advance(5_000);
    receiver.answer = () => ({ status: 200 });
    const dying = deliveryWorld(stage, { table: dyingTable(stage.table, writes) });
    await dying.retry(message).catch(() => undefined);
    await dying.agent.destroy();
    const [left] = await world.listed(hook);
    expect(left && (await world.list.attempts(left))).toHaveLength(left?.made ?? 0);
    stage.clock.advance(60_000);
    await world.retry(message);
    expect(await world.listed(hook)).toMatchObject([{ status: 'delivered' }]);
    expect((await world.webhooks.find(hook.id))?.health.failingSince).toBeUndefined();
  },
);
