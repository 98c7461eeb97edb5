import { beforeEach, expect, test } from 'vitest';
import { HEALTHY } from '../../../../../shared/domain/webhook/webhook-health.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';
import { type Deliveries, openDeliveries } from '../../../../support/open-deliveries.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { World } from '../../../../support/world/world.ts';

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let subscribed: Deliveries['subscribed'];

beforeEach(async () => {
  ({ stage, receiver, world, subscribed } = await openDeliveries());
});

/** The messages after an event for a webhook with an open breaker. */
async function sentForOpenBreaker(isIdle: boolean) {
  const source = await stage.source();
  const breaker = { openedAt: 0, probe: 4, probeAt: stage.clock.now() + 60_000, isIdle };
  const hook = await world.webhook({ url: 'http://127.0.0.1:9/', health: { ...HEALTHY, breaker } });
  await world.subscribe(source.id, hook.id);
  world.retries.length = 0;
  await world.deliver([world.message(source)]);
  return { listenerId: hook.id, sent: [...world.retries] };
}

test('the first delivery that waits for an idle breaker begins its probes again, at the time of the probe', async () => {
  const { listenerId, sent } = await sentForOpenBreaker(true);
  expect(sent).toEqual([{ message: { kind: 'probe', listenerId, probe: 4 }, delaySeconds: 60 }]);
});

test('a delivery that waits for a breaker with a probe on its way needs no message', async () => {
  const { sent } = await sentForOpenBreaker(false);
  expect(sent).toEqual([]);
});

test('the drain and the probe of a webhook that was switched off meanwhile hold its deliveries', async () => {
  const { id: listenerId } = await world.webhook({ url: 'http://127.0.0.1:9/', active: false });
  world.retries.length = 0;
  await world.retry({ kind: 'drain', listenerId });
  await world.retry({ kind: 'probe', listenerId, probe: 1 });
  const hold = { message: { kind: 'hold', listenerId }, delaySeconds: 0 };
  expect(world.retries).toEqual([hold, hold]);
});

test('an attempt that switches its webhook off holds the deliveries that wait for it', async () => {
  const { source, hook } = await subscribed();
  receiver.respond = () => ({ status: 410 });
  await world.deliver([world.message(source)]);
  expect(world.retries).toEqual([{ message: { kind: 'hold', listenerId: hook.id }, delaySeconds: 0 }]);
});

test('a `Retry-After` beyond the longest delay of a queue is kept by the first retry, too', async () => {
  const { source } = await subscribed();
  receiver.respond = (index) => (index === 0 ? { status: 503, headers: { 'retry-after': '3600' } } : { status: 200 });
  await world.deliver([world.message(source)]);
  const due = stage.clock.now() + 3_600_000;
  const [first] = world.retries.splice(0);
  expect(first?.delaySeconds).toBe(900);
  if (!first) return;
  await world.retry(first.message);
  // SQS may deliver a message twice.
  await world.retry(first.message);
  expect(receiver.received).toHaveLength(1);
  expect([...world.schedules.values()]).toEqual([{ at: due, message: first.message }]);
  stage.clock.advance(due - stage.clock.now());
  await world.retry(first.message);
  expect(receiver.received).toHaveLength(2);
});
