import { beforeEach, describe, expect, test } from 'vitest';
import { RecoveryId } from '../../../../../shared/domain/id.ts';
import type { RetryMessage } from '../../../../../shared/domain/run/message.ts';
import type { Webhook } from '../../../../../shared/domain/webhook/webhook.ts';
import { waitingAndHeldDeliveries } from '../../../../../shared/store/deliveries/delivery-lists.ts';
import { aDelivery } from '../../../../support/a-delivery.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';
import { gate } from '../../../../support/gate.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import { repeatingTable } from '../../../../support/repeating-table.ts';
import { type Deliveries, openDeliveries } from '../../../../support/open-deliveries.ts';
import type { World } from '../../../../support/world/world.ts';

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
  return { source, hook, send: () => world.message(source) };
}

const only = async (hook: Webhook) => (await world.listed(hook))[0] ?? expect.fail('no delivery');
const current = async ({ id }: Webhook) => (await world.webhooks.find(id)) ?? expect.fail('no webhook');
const heldCount = ({ id }: Webhook) => waitingAndHeldDeliveries(stage.table).heldCount(id, stage.clock.now());
const taken = (kind: RetryMessage['kind']) => {
  const index = world.retries.findIndex(({ message }) => message.kind === kind);
  return world.retries.splice(index, 1)[0]?.message ?? expect.fail(`no message ${kind}`);
};

/** Switches the webhook off, and holds what waits, before the receiver answers. */
function switchedOffMeanwhile(hook: Webhook, status: number) {
  const { opened, open } = gate();
  receiver.respond = () => ({ status, after: opened });
  receiver.onReceived = () => {
    receiver.onReceived = undefined;
    void (async () => {
      await world.webhooks.change(await current(hook), { active: false });
      await world.retry({ kind: 'hold', listenerId: hook.id });
      open();
    })();
  };
}

describe('a delivery that is held while its attempt is under way', () => {
  test.each(['retry', 'probe'] as const)('stays held when the attempt of a %s fails', async (kind) => {
    const { hook, send } = await subscribed();
    receiver.respond = () => ({ status: 500 });
    await world.deliver([send()]);
    let message = taken('retry');
    if (kind === 'probe') {
      const { health } = await current(hook);
      const breaker = { openedAt: 0, probe: 1, probeAt: 0 };
      await world.webhooks.change(await current(hook), { health: { ...health, breaker } });
      await world.retry(message);
      message = { kind: 'probe', listenerId: hook.id, probe: 1 };
    }
    switchedOffMeanwhile(hook, 500);
    await world.retry(message);
    const held = await only(hook);
    expect(held).toMatchObject({ status: 'held', attemptCount: 2 });
    expect(held).not.toHaveProperty('nextAt');
    expect(await heldCount(hook)).toBe(1);
  });

  test('is delivered, and no longer counted, when the attempt succeeds', async () => {
    const { hook, send } = await subscribed();
    receiver.respond = () => ({ status: 500 });
    await world.deliver([send()]);
    switchedOffMeanwhile(hook, 200);
    await world.retry(taken('retry'));
    expect(await only(hook)).toMatchObject({ status: 'delivered', attemptCount: 2 });
    expect(await heldCount(hook)).toBe(0);
  });
});

test('a delivery whose attempt is recorded late keeps its next attempt, which came before the record', async () => {
  const { hook, send } = await subscribed();
  receiver.respond = (index) => ({ status: index < 2 ? 500 : 200 });
  await world.deliver([send()]);
  const late = world.retryHandler({
    deliveries: {
      ...world.deliveries,
      async record(...attempt) {
        await world.retryAhead(taken('retry'));
        return world.deliveries.record(...attempt);
      },
    },
  });
  await late(taken('retry'));
  expect(await only(hook)).toMatchObject({ status: 'retrying', attemptCount: 2 });
  await world.retry(taken('retry'));
  expect(receiver.received).toHaveLength(2);
  await world.retry(taken('retry'));
  expect(await only(hook)).toMatchObject({ status: 'delivered', attemptCount: 3 });
  expect(receiver.received).toHaveLength(3);
});

describe('an attempt is recorded although a redelivery began in the same millisecond and failed', () => {
  /** Retries; a redelivery is recorded between the attempt and its record. */
  async function retryBeforeRecord(hook: Webhook, message: RetryMessage): Promise<void> {
    let isRedelivered = false;
    const late = world.retryHandler({
      deliveries: {
        ...world.deliveries,
        async record(delivery, attempt) {
          if (!isRedelivered) {
            isRedelivered = true;
            const stored = (await world.deliveries.find(hook.id, delivery.id)) ?? expect.fail();
            await world.deliveries.request(stored, { request: 'r', requestedAt: [stage.clock.now()] });
            await world.retry({
              kind: 'redeliver',
              deliveryId: stored.id,
              listenerId: hook.id,
              request: 'r',
            });
          }
          return world.deliveries.record(delivery, attempt);
        },
      },
    });
    await late(message);
  }

  test('when it succeeds', async () => {
    const { hook, send } = await subscribed();
    receiver.respond = (index) => ({ status: index === 1 ? 200 : 500 });
    await world.deliver([send()]);
    await retryBeforeRecord(hook, taken('retry'));
    expect(await only(hook)).toMatchObject({ status: 'delivered', attemptCount: 3 });
  });

  test('when it fails as the last one', async () => {
    const { hook, send } = await subscribed();
    receiver.respond = () => ({ status: 500 });
    const sent = send();
    const delivery = aDelivery(sent, hook, {
      status: 'retrying',
      attemptCount: 9,
      scheduleStep: 9,
      messageNumber: 9,
    });
    await world.deliveries.create(delivery, sent);
    await retryBeforeRecord(hook, {
      kind: 'retry',
      deliveryId: delivery.id,
      listenerId: hook.id,
      turn: 9,
    });
    expect(await only(hook)).toMatchObject({ status: 'failed', attemptCount: 11 });
  });
});

/** The time of an invocation ends with the tenth delivery that it reads. */
function slowReading() {
  const read: string[] = [];
  const handle = world.retryHandler({
    deliveries: {
      ...world.deliveries,
      async *read(...range) {
        for await (const delivery of world.deliveries.read(...range)) {
          read.push(delivery.id);
          if (read.length === 10) stage.clock.advance(31_000);
          yield delivery;
        }
      },
    },
  });
  return { handle, read };
}

test('hold goes on where its time ended', async () => {
  const { hook, send } = await subscribed();
  receiver.respond = () => ({ status: 500 });
  await world.deliver([send()]);
  stage.clock.advance(1);
  await world.deliver(Array.from({ length: 29 }, send));
  await world.webhooks.change(await current(hook), { active: false });
  const { handle, read } = slowReading();
  await handle({ kind: 'hold', listenerId: hook.id });
  const next = taken('hold');
  expect(next).toEqual({ kind: 'hold', listenerId: hook.id, after: read.at(-1) });
  await handle(next);
  expect(new Set(read).size).toBe(read.length);
  expect(await heldCount(hook)).toBe(30);
});

test('a recovery goes on where its time ended, also among deliveries that need no attempt', async () => {
  const { hook, send } = await subscribed();
  receiver.respond = () => ({ status: 500 });
  await world.deliver([send()]);
  await world.deliver(Array.from({ length: 20 }, send));
  receiver.respond = () => ({ status: 200 });
  stage.clock.advance(60_000);
  for (const { message } of world.retries.splice(0)) await world.retry(message);
  expect((await world.listed(hook)).every(({ status }) => status === 'delivered')).toBe(true);
  const id = RecoveryId.parse('rc_1');
  const job = {
    id,
    since: 0,
    until: stage.clock.now(),
    status: 'running' as const,
    found: 1,
    sent: 0,
    chunk: 0,
    startedAt: 0,
  };
  await world.retryServices.recoveries.put(hook.id, job, undefined);
  const { handle, read } = slowReading();
  const message = { kind: 'recover', listenerId: hook.id, recoveryId: id, part: 0 } as const;
  await handle(message);
  expect(read).toHaveLength(10);
  const next = { ...message, part: 1 };
  expect(taken('recover')).toEqual(next);
  // SQS repeats messages. The second message of a part that has ended must not go on beside the first.
  await handle(message);
  expect(read).toHaveLength(10);
  expect(world.retries).toEqual([]);
  await handle(next);
  expect(read).toHaveLength(21);
  expect(new Set(read).size).toBe(21);
  expect(await world.retryServices.recoveries.find(hook.id)).toMatchObject({ status: 'done' });
});

test('a redelivery whose payload is gone ends its request', async () => {
  const { hook, send } = await subscribed();
  receiver.respond = () => ({ status: 500 });
  await world.deliver([send()]);
  const { id } = await only(hook);
  const stored = (await world.deliveries.find(hook.id, id)) ?? expect.fail();
  await world.deliveries.request(stored, { request: 'r', requestedAt: [stage.clock.now()] });
  const expired = { ...world.deliveries, payload: () => Promise.resolve(undefined) };
  const retry = world.retryHandler({ deliveries: expired });
  await retry({ kind: 'redeliver', deliveryId: id, listenerId: hook.id, request: 'r' });
  expect(await world.deliveries.find(hook.id, id)).not.toHaveProperty('requested');
  expect(receiver.received).toHaveLength(1);
});

describe('a message of an event that is received again', () => {
  test('makes no second attempt of a delivery that succeeded', async () => {
    const { hook, send } = await subscribed();
    const message = send();
    await world.deliver([message]);
    await world.deliver([message], stage.clock.now(), true);
    expect(receiver.received).toHaveLength(1);
    expect(await only(hook)).toMatchObject({ status: 'delivered', attemptCount: 1 });
  });

  test('leaves a delivery that failed to its own message', async () => {
    const { hook, send } = await subscribed();
    const message = send();
    receiver.respond = (index) => ({ status: index === 0 ? 500 : 200 });
    await world.deliver([message]);
    stage.clock.advance(31_000);
    world.retries.splice(0);
    await world.deliver([message], stage.clock.now(), true);
    expect(receiver.received).toHaveLength(1);
    await world.retry(taken('retry'));
    expect(await only(hook)).toMatchObject({ status: 'delivered', attemptCount: 2 });
  });

  test('sends for a delivery that waits for the rate limit once more', async () => {
    const { hook, send } = await subscribed();
    await world.webhooks.change(await current(hook), { rateLimit: 1 });
    const messages = [send(), send(), send()];
    await world.deliver(messages);
    world.retries.splice(0);
    await world.deliver(messages, stage.clock.now(), true);
    expect(taken('drain')).toEqual({ kind: 'drain', listenerId: hook.id });
    expect(receiver.received).toHaveLength(1);
  });
});

test('a held delivery stays counted when an attempt on an earlier state of it is not recorded', async () => {
  const { hook, send } = await subscribed();
  await world.webhooks.change(await current(hook), { active: false });
  await world.deliver([send()]);
  const { id } = await only(hook);
  const held = (await world.deliveries.find(hook.id, id)) ?? expect.fail();
  const attempt = { attempt: 1, at: stage.clock.now(), ms: 1, outcome: 'delivered', status: 200 } as const;
  const progress = { status: 'delivered', scheduleStep: 0, messageNumber: 1 } as const;
  const earlier = { ...held, messageNumber: held.messageNumber - 1 };
  expect(await world.deliveries.record(earlier, { attempt, progress, staysOnList: false })).toBe(false);
  expect(await only(hook)).toMatchObject({ status: 'held' });
  expect(await heldCount(hook)).toBe(1);
});

describe('when the SDK repeats every request to the table', () => {
  beforeEach(() => {
    world = deliveries.openProcess({ table: repeatingTable(stage.table) });
  });

  test('the waiting deliveries of a webhook are sent', async () => {
    const { hook, send } = await subscribed();
    const { health } = await current(hook);
    const breaker = { openedAt: 0, probe: 1, probeAt: 0, isIdle: true };
    await world.webhooks.change(await current(hook), { health: { ...health, breaker } });
    await world.deliver([send()]);
    await world.webhooks.change(await current(hook), { health });
    await world.retry({ kind: 'drain', listenerId: hook.id });
    expect(receiver.received).toHaveLength(1);
  });

  test('a held delivery that succeeds is no longer counted', async () => {
    const { hook, send } = await subscribed();
    await world.webhooks.change(await current(hook), { active: false });
    await world.deliver([send()]);
    expect(await heldCount(hook)).toBe(1);
    const { id } = await only(hook);
    const stored = (await world.deliveries.find(hook.id, id)) ?? expect.fail();
    await world.deliveries.request(stored, { request: 'r', requestedAt: [stage.clock.now()] });
    await world.retry({ kind: 'redeliver', deliveryId: id, listenerId: hook.id, request: 'r' });
    expect(await only(hook)).toMatchObject({ status: 'delivered', attemptCount: 1 });
    expect(await heldCount(hook)).toBe(0);
  });

  test('a failure counts once for the breaker', async () => {
    const { hook, send } = await subscribed();
    receiver.respond = () => ({ status: 500 });
    await world.deliver([send()]);
    expect((await current(hook)).health).toMatchObject({ recent: [expect.any(Number)] });
  });
});
