import { expect, test } from 'vitest';
import { showWebhook } from '../../../../../shared/http/show/show-webhook.ts';
import { gate } from '../../../../support/gate.ts';
import { openDeliveries } from '../../../../support/open-deliveries.ts';
import { until } from '../../../../support/until.ts';

const SLOW_RESPONSES = 6;

test('a webhook that one process finds slow gets its deliveries from the drain in all of them, until it is fast again', async () => {
  const { stage, receiver, world, openWorld, subscribed } = await openDeliveries();
  const { source, hook } = await subscribed();
  const messages = (count: number) => Array.from({ length: count }, () => world.message(source));
  const healthOf = async () => (await world.webhooks.find(hook.id))?.health;

  const { opened, open } = gate();
  receiver.respond = () => ({ status: 200, after: opened });
  const batch = world.deliver(messages(SLOW_RESPONSES));
  await until('they are slow', async () => (await world.listed(hook)).length === SLOW_RESPONSES);
  stage.clock.advance(2_000);
  open();
  await batch;
  const slowSince = stage.clock.now();
  expect(await healthOf()).toMatchObject({ slowSince, failures: 0 });
  const shown = (await world.webhooks.find(hook.id)) ?? expect.fail();
  expect(showWebhook(shown, { headers: [], logged: undefined, heldCount: 0 }).slow_since_ms).toBe(slowSince);

  receiver.respond = () => ({ status: 200 });
  const other = openWorld();
  await other.deliver(messages(20));
  expect(receiver.received).toHaveLength(SLOW_RESPONSES);
  expect((await other.listed(hook)).filter(({ status }) => status === 'pending')).toHaveLength(20);
  expect(other.retries).toEqual([{ message: { kind: 'drain', listenerId: hook.id }, delaySeconds: 0 }]);

  await other.retry({ kind: 'drain', listenerId: hook.id });
  expect(receiver.received).toHaveLength(SLOW_RESPONSES + 20);
  expect((await healthOf())?.slowSince).toBeUndefined();
  await world.deliver(messages(1));
  expect(receiver.received).toHaveLength(SLOW_RESPONSES + 21);
});

test('a retry of a slow webhook is left to its drain', async () => {
  const { receiver, world, subscribed } = await openDeliveries();
  const { source, hook } = await subscribed();
  receiver.respond = () => ({ status: 500 });
  await world.deliver([world.message(source)]);
  const [first] = world.retries.splice(0);
  const webhook = (await world.webhooks.find(hook.id)) ?? expect.fail();
  await world.webhooks.change(webhook, { health: { ...webhook.health, slowSince: 1 } });
  await world.retry(first?.message ?? expect.fail());
  expect(receiver.received).toHaveLength(1);
  expect(world.retries).toEqual([{ message: { kind: 'drain', listenerId: hook.id }, delaySeconds: 0 }]);
});
