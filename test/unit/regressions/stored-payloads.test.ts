import { beforeEach, describe, expect, test } from 'vitest';
import { triggerPayloadKey } from '../../../shared/aws/object-keys.ts';
import { storedPayload } from '../../../shared/aws/payloads.ts';
import type { Trigger } from '../../../shared/domain/run/message.ts';
import type { Source } from '../../../shared/domain/source/source.ts';
import type { Webhook } from '../../../shared/domain/webhook/webhook.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/lib/durations.ts';
import { createAdmission } from '../../../shared/service/admission/admission.ts';
import { createStorage, type Storage } from '../../../shared/service/admission/storage.ts';
import type { DeliveryWorld } from '../../support/world/deliveries.ts';
import { openDeliveries } from '../../support/open-deliveries.ts';
import type { Receiver } from '../../support/receiver.ts';
import type { World } from '../../support/world/world.ts';

/**
 * Large payloads counted for 30 days, whether they were stored or not: 90 requests of 500 KB to one endpoint closed all
 * sources of a user with 60 MB for a month, also after their events and their source were deleted; and a request of 250
 * KB a minute filled 20 GiB.
 */

const LIMIT = 60_000_000;
const FREED_WITHIN_MS = 10_000;
const LARGE = 300_000;
const COUNT = 8;

let stage: World;
let world: DeliveryWorld;
let receiver: Receiver;
let hook: Webhook;
let source: Source;
let storageOf: (limit: number) => Storage;
beforeEach(async () => {
  ({ stage, world, receiver } = await openDeliveries());
  storageOf = (limit) => createStorage({ storedBytes: () => stage.stored(), limit, now: () => stage.clock.now() });
  source = await stage.source({ hasRun: false });
  await stage.source();
  hook = await world.webhook({ url: receiver.url });
  await world.subscribe(source.id, hook.id);
});

/** A request of this size, as the ingress queues it. */
async function request(bytes: number): Promise<Trigger> {
  const waiting = stage.trigger(source);
  const json = JSON.stringify({ method: 'POST', bodyRaw: 'x'.repeat(bytes) });
  return { ...waiting, payload: await storedPayload(stage.bucket, { json }, triggerPayloadKey(waiting)) };
}

/** Requests that run, and whose events are delivered. */
async function send(count: number, bytes: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    expect(await stage.execute(stage.received([await request(bytes)]))).toEqual({ completed: 1 });
    await world.deliver(stage.deliveries.splice(0));
  }
  await world.attemptCounts.settle();
}

const execute = async (trigger: object) => {
  const whole = { emitterId: source.id, ownerId: stage.ownerId, at: stage.clock.now(), ...trigger };
  expect(await stage.execute(stage.received([whole as Trigger]))).toEqual({ completed: 1 });
};
const deleteEvents = async () => {
  const [newest] = await stage.services.events.refs(source.id, 'default');
  await execute({ kind: 'delete-events', id: 'd', ranges: [{ stream: 'default', to: newest?.id }] });
};
const deleteSource = async () => {
  await stage.sources.tombstone(source.id);
  await execute({ kind: 'purge', id: 'purge' });
};
/** Handles the messages of the queue `retries` until none is left. */
const handleRetries = async () => {
  for (const { message } of world.retries.splice(0)) await world.retry(message);
};
const deleteWebhook = async () => {
  await world.webhooks.remove(hook);
  await world.retryHandler()({ kind: 'forget', listenerId: hook.id, ownerId: stage.ownerId });
};

test('90 requests of 500 KB close no source of a user with 60 MB, and leave only their events', async () => {
  const storage = storageOf(LIMIT);
  await send(90, 500_000);
  expect(await storage.isFull(stage.ownerId)).toBe(false);
  expect([...stage.objects.keys()].filter((key) => key.startsWith('payloads/'))).toEqual([]);
});

describe.each([
  ['whose receiver fails', 500],
  ['whose receiver refuses the events', 422],
])('90 requests of 500 KB to one endpoint, %s,', (_, status) => {
  test('close no other source of a user with 60 MB, and never fill it', async () => {
    receiver.respond = () => ({ status });
    const other = await stage.source({ hasRun: false });
    const storage = storageOf(LIMIT);
    const refused = { source: 0, other: 0 };
    for (let n = 0; n < 90; n += 1) {
      stage.clock.advance(MINUTE_MS);
      if (await storage.isFullFor(stage.ownerId, source.id)) refused.source += 1;
      else await send(1, 500_000);
      if (await storage.isFullFor(stage.ownerId, other.id)) refused.other += 1;
    }
    expect(refused.other).toBe(0);
    expect(refused.source).toBeGreaterThan(0);
    expect((await stage.stored()).total).toBeLessThan(LIMIT);
  });
});

describe.each([
  ['the deletion of its events', deleteEvents],
  ['the deletion of the source', deleteSource],
])('a full user is served within 10 s of %s', (_, deletion) => {
  test.each([
    ['with delivered events', 200],
    ['with events whose deliveries succeeded later', 500],
  ])('%s', async (_name, firstStatus) => {
    receiver.respond = () => ({ status: firstStatus });
    const storage = storageOf(COUNT * LARGE);
    await send(COUNT, LARGE);
    expect(await storage.isFull(stage.ownerId)).toBe(true);
    receiver.respond = () => ({ status: 200 });
    stage.clock.advance(FREED_WITHIN_MS);
    await handleRetries();
    await world.attemptCounts.settle();
    await deletion();
    stage.clock.advance(FREED_WITHIN_MS);
    expect(await storage.isFull(stage.ownerId)).toBe(false);
    expect((await stage.stored()).total).toBeLessThan(10_000);
    expect([...stage.objects.keys()]).toEqual([]);
  });
});

test('a user whose failed deliveries fill the storage is served within 10 s of the deletion of the webhook', async () => {
  receiver.respond = () => ({ status: 500 });
  const storage = storageOf(COUNT * LARGE);
  await send(COUNT, LARGE);
  await deleteEvents();
  expect(await storage.isFull(stage.ownerId)).toBe(true);
  expect((await stage.stored()).byEmitter.get(source.id)).toBeGreaterThan(COUNT * LARGE);
  await deleteWebhook();
  stage.clock.advance(FREED_WITHIN_MS);
  expect(await storage.isFull(stage.ownerId)).toBe(false);
  expect((await stage.stored()).total).toBe(0);
  expect([...stage.objects.keys()]).toEqual([]);
  expect(await world.listed(hook)).toEqual([]);
});

test('the payloads of deliveries count for as long as they are kept, and their last hour ends with them', async () => {
  receiver.respond = () => ({ status: 500 });
  await send(1, LARGE);
  await deleteEvents();
  stage.clock.advance(30 * DAY_MS - HOUR_MS);
  expect((await stage.stored()).total).toBeGreaterThan(LARGE);
  stage.clock.advance(3 * HOUR_MS);
  expect((await stage.stored()).total).toBe(0);
});

test('a stranger who floods one source of a user closes it at three quarters, and leaves the other one open', async () => {
  const other = await stage.source({ hasRun: false });
  const storage = storageOf(COUNT * LARGE);
  const admission = createAdmission({
    storage,
    quotas: { isOver: () => Promise.resolve(false) },
    queueDepth: () => Promise.resolve(0),
    now: () => stage.clock.now(),
  });
  const codeFor = async ({ id: sourceId }: Source, cause: 'http' | 'source') => {
    const refusal = await admission.admit({ sourceId, ownerId: stage.ownerId }, cause);
    return refusal?.code ?? 'accepted';
  };
  await send((COUNT * 3) / 4, LARGE);
  expect(await codeFor(source, 'http')).toBe('storage_full');
  expect(await codeFor(other, 'http')).toBe('accepted');
  // Events of other emitters are taken until the user is full.
  expect(await codeFor(source, 'source')).toBe('accepted');
  await deleteEvents();
  stage.clock.advance(FREED_WITHIN_MS);
  expect(await codeFor(source, 'http')).toBe('accepted');
});

/** Every 720th of the 44,640 requests, and as much of 20 GiB. */
test.each<[string, (at: number) => boolean]>([
  ['', () => false],
  [', though the receiver refuses one in five at first', (at) => at % ((5 * DAY_MS) / 2) === 0],
  [', though the receiver fails for two days', (at) => at < 2 * DAY_MS],
])('a request of 250 KB a minute for 31 days never fills 20 GiB%s', async (_, isFailing) => {
  const storage = storageOf((20 * 1_024 ** 3) / 720);
  for (let at = 0; at < 31 * DAY_MS; at += DAY_MS / 2) {
    receiver.respond = () => ({ status: isFailing(at) ? 503 : 200 });
    await send(1, 250_000);
    stage.clock.advance(DAY_MS / 2);
    receiver.respond = () => ({ status: isFailing(at) && isFailing(at + DAY_MS / 2) ? 503 : 200 });
    await handleRetries();
    expect(await storage.isFull(stage.ownerId)).toBe(false);
  }
});
