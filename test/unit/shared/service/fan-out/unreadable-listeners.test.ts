import { beforeEach, expect, test } from 'vitest';
import { matchKey, sourceKey, webhookKey } from '../../../../../shared/store/table/keys.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';
import { openDeliveries } from '../../../../support/open-deliveries.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { World } from '../../../../support/world/world.ts';
import { spoil } from '../../../../support/spoil.ts';

/**
 * An event whose listener cannot be read comes back for it. Other listeners and other events of the batch do not wait.
 */

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
beforeEach(async () => {
  ({ stage, receiver, world } = await openDeliveries());
});

const paths = () => receiver.received.map(({ url }) => url.replace('/hook', '')).toSorted();

test('a webhook that cannot be read stops no other webhook, and no event of its batch', async () => {
  const [shared, other] = [await stage.source(), await stage.source()];
  const [good, bad, far] = await Promise.all(
    ['/good', '/bad', '/far'].map((path) => world.webhook({ url: `${receiver.url}${path}` })),
  );
  if (!good || !bad || !far) expect.fail();
  for (const { id } of [good, bad]) await world.subscribe(shared.id, id);
  await world.subscribe(other.id, far.id);
  await spoil(stage.table, webhookKey(bad.id), { url: 7 });
  const [first, second] = [world.message(shared), world.message(other)];
  expect([...(await world.failuresOf([first, second])).keys()]).toEqual([first]);
  expect(paths()).toEqual(['/far', '/good']);
  // The repetition after the mend reaches the one that is left.
  await spoil(stage.table, webhookKey(bad.id), { url: bad.url });
  expect((await world.failuresOf([first], stage.clock.now(), true)).size).toBe(0);
  expect(paths()).toEqual(['/bad', '/far', '/good']);
});

test('a subscription whose filter cannot be read stops no other subscription of its emitter', async () => {
  const source = await stage.source();
  const [good, bad] = await Promise.all(
    ['/good', '/bad'].map((path) => world.webhook({ url: `${receiver.url}${path}` })),
  );
  if (!good || !bad) expect.fail();
  for (const { id } of [good, bad]) await world.subscribe(source.id, id);
  await spoil(stage.table, matchKey({ emitterId: source.id }, 'default', bad.id), { filter: 7 });
  const sent = world.message(source);
  expect([...(await world.failuresOf([sent])).keys()]).toEqual([sent]);
  expect(paths()).toEqual(['/good']);
});

test('a source that cannot be read stops no other source that listens', async () => {
  const [source, good, bad] = [await stage.source(), await stage.source(), await stage.source()];
  for (const { id } of [good, bad]) await world.subscribe(source.id, id);
  await spoil(stage.table, sourceKey(bad.id), { state: 7 });
  const sent = world.message(source);
  expect([...(await world.failuresOf([sent])).keys()]).toEqual([sent]);
  expect(world.triggers.map(({ emitterId }) => emitterId)).toEqual([good.id]);
});
