import { expect, test } from 'vitest';
import { showWebhook } from '../../../../../shared/http/show/show-webhook.ts';
import { gate } from '../../../../support/gate.ts';
import { openDeliveries } from '../../../../support/open-deliveries.ts';
import { until } from '../../../../support/until.ts';

const SLOW_RESPONSES = 6;

/** A webhook, and first attempts to it in one batch. */
async function openSlow() {
  const opened = await openDeliveries();
  const { stage, receiver, world } = opened;
  const { source, hook } = await opened.subscribed();
  const messages = (count: number) => Array.from({ length: count }, () => world.message(source));
  const pending = async () => (await world.listed(hook)).filter(({ status }) => status === 'pending');
  return {
    ...opened,
    hook,
    messages,
    healthOf: async () => (await world.webhooks.find(hook.id))?.health,
    async respondSlowly(count: number) {
      const { opened: mayRespond, open } = gate();
      receiver.respond = () => ({ status: 200, after: mayRespond });
      const batch = world.deliver(messages(count));
      await until('they are slow', async () => (await pending()).length === count);
      stage.clock.advance(2_000);
      open();
      await batch;
      receiver.respond = () => ({ status: 200 });
    },
  };
}

test('a webhook that one process finds slow gets its deliveries from the drain in all of them, until it is fast again', async () => {
  const { stage, receiver, world, openProcess, hook, messages, healthOf, respondSlowly } = await openSlow();
  await respondSlowly(SLOW_RESPONSES);
  const slowSince = stage.clock.now();
  expect(await healthOf()).toMatchObject({ slowSince, recent: [] });
  const shown = (await world.webhooks.find(hook.id)) ?? expect.fail();
  expect(
    showWebhook(shown, { headers: [], logged: undefined, heldCount: 0, deliveryAddresses: null }).slow_since_ms,
  ).toBe(slowSince);

  const other = openProcess();
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

test('fast responses between slow ones count, though nothing records them', async () => {
  const { world, messages, healthOf, respondSlowly } = await openSlow();
  await respondSlowly(SLOW_RESPONSES - 2);
  await world.deliver(messages(60));
  await respondSlowly(2);
  expect(await healthOf()).toMatchObject({ slowShare: expect.closeTo(0.125, 2) as number });
  expect((await healthOf())?.slowSince).toBeUndefined();
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
