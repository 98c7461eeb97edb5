import { createAdmission } from '../../../../shared/service/admission/admission.ts';
import { randomBytes } from 'node:crypto';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createAgent, createAttempter } from '../../../../shared/aws/deliver-http.ts';
import { EventId } from '../../../../shared/domain/event-id.ts';
import {
  newId,
  SubscriptionId,
  WebhookId,
  WorkflowId,
  type ListenerId,
  type SourceId,
} from '../../../../shared/domain/id.ts';
import type { DeliveryMessage, RetryMessage, Trigger } from '../../../../shared/domain/message.ts';
import type { Source } from '../../../../shared/domain/source.ts';
import { streamOf } from '../../../../shared/domain/stream.ts';
import type { Webhook } from '../../../../shared/domain/webhook.ts';
import { deliveryStore } from '../../../../shared/store/deliveries.ts';
import { listenerStore } from '../../../../shared/store/matching.ts';
import { subscriptionStore } from '../../../../shared/store/subscriptions.ts';
import { webhookStore } from '../../../../shared/store/webhooks.ts';
import { workflowStore } from '../../../../shared/store/workflows.ts';
import { createFanOut } from '../../../../shared/service/delivery/fan-out.ts';
import { createSecretReader } from '../../../../shared/service/delivery/signing-secrets.ts';
import { createRetry } from '../../../../shared/service/delivery/retry.ts';
import { Receiver } from '../../../support/receiver.ts';
import { type Harness, harness } from '../../../support/runs-harness.ts';

let stage: Harness;
let receiver: Receiver;
let world: Awaited<ReturnType<typeof openWorld>>;
beforeEach(async () => {
  stage = await harness();
  await stage.user();
  receiver = await Receiver.start();
  world = openWorld({ page: 200 });
});
afterEach(async () => {
  await world.agent.close();
  await receiver.stop();
  await stage.close();
});

const random = (bytes: number) => randomBytes(bytes);

/** These listeners have secrets of an earlier release, in plain text. */
const vault = { open: () => Promise.reject(new Error('no secret here is sealed')) };

/** Both functions of the delivery half, with what they send kept for the test. */
function openWorld({ page, allowPrivate = true }: { page: number; allowPrivate?: boolean }) {
  const now = () => stage.clock.now();
  const agent = createAgent({ allowPrivate, allowList: [] });
  const attempt = createAttempter(agent, now);
  const secretOf = createSecretReader({ vault, now });
  const deliveries = deliveryStore(stage.table);
  const matching = listenerStore(stage.table, page);
  const triggers: Trigger[] = [];
  const again: DeliveryMessage[] = [];
  const retries: { message: RetryMessage; delaySeconds: number }[] = [];
  const schedules = new Map<string, { at: number; message: RetryMessage }>();
  const sendRetry = async (message: RetryMessage, delaySeconds: number) =>
    void retries.push({ message, delaySeconds });
  const bucket = { getText: async (key: string) => stage.objects.get(key) };
  const deliver = createFanOut({
    matching,
    deliveries,
    bucket,
    admission: createAdmission({
      quotas: stage.services.quotas,
      overloadedUntil: (id) => stage.services.emitters.overloadedUntil(id),
      now,
    }),
    sendTriggers: async (sent) => void triggers.push(...sent),
    sendDeliveries: async (sent) => void again.push(...sent),
    sendRetry,
    attempt,
    secretOf,
    now,
  });
  const retryServices = {
    matching,
    deliveries,
    bucket,
    schedules: {
      create: async ({ name, when, input }: { name: string; when: object; input: string }) => {
        if ('at' in when && when.at instanceof Date && !schedules.has(name))
          schedules.set(name, { at: when.at.getTime(), message: JSON.parse(input) as RetryMessage });
      },
    },
    retriesQueueArn: 'arn:retries',
    sendRetry,
    attempt,
    secretOf,
    now,
  };
  return {
    agent,
    deliver,
    retry: createRetry(retryServices),
    retryServices,
    deliveries,
    triggers,
    again,
    retries,
    schedules,
  };
}

const webhook = async (more: Partial<Webhook> = {}): Promise<Webhook> => {
  const made: Webhook = {
    id: WebhookId.parse(newId('webhook', stage.clock.now(), random)),
    ownerId: stage.ownerId,
    name: null,
    description: null,
    url: receiver.url,
    active: true,
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    createdAt: stage.clock.now(),
    updatedAt: stage.clock.now(),
    ...more,
  };
  await webhookStore(stage.table).create(made, 1_000);
  return made;
};

const subscribe = (emitter: SourceId | 'dc_*' | 'p_*', listenerId: ListenerId, eventName = '') =>
  subscriptionStore(stage.table).create(
    {
      id: SubscriptionId.parse(newId('subscription', stage.clock.now(), random)),
      ownerId: stage.ownerId,
      emitter,
      listenerId,
      eventName,
      createdAt: 0,
    },
    10_000,
  );

let n = 0;
const message = (
  source: Pick<Source, 'id'>,
  body: unknown = { n: (n += 1) },
  more: Partial<DeliveryMessage> = {},
): DeliveryMessage => ({
  emitterId: source.id,
  ownerId: stage.ownerId,
  stream: 'default',
  eventId: EventId.parse(`${stage.clock.now()}-${(n += 1)}`),
  emitId: randomBytes(16).toString('base64url'),
  payload: { json: JSON.stringify(body) },
  hops: 0,
  ...more,
});
const deliver = (...messages: DeliveryMessage[]) => world.deliver(messages, stage.clock.now());

describe('an event', () => {
  test('reaches a webhook immediately, signed, with its JSON as it was emitted', async () => {
    const [source, hook] = [await stage.source(), await webhook()];
    await subscribe(source.id, hook.id);
    const sent = message(source, undefined, { payload: { json: '{"b":1,"__proto__":2,"1":"ü"}' } });
    const verifier = new Verifier(z.string().parse(hook.secret));
    const before = Math.floor(Date.now() / 1000);
    stage.clock.advance(Date.now() - stage.clock.now());
    await deliver(sent);
    const [got] = receiver.received;
    expect(got?.body).toBe('{"b":1,"__proto__":2,"1":"ü"}');
    verifier.verify(got?.body ?? '', got?.headers as Record<string, string>);
    expect(got?.headers).toMatchObject({
      'webhook-id': sent.emitId,
      'x-tributary-emitter': source.id,
      'x-tributary-event-id': sent.eventId,
      'x-tributary-event-name': 'default',
    });
    expect(Number(got?.headers['webhook-timestamp'])).toBeGreaterThanOrEqual(before - 1);
    expect(world.retries).toEqual([]);
  });

  test('of several emitters in one batch costs one read of shared items', async () => {
    const hook = await webhook();
    const sources = await Promise.all(Array.from({ length: 5 }, () => stage.source()));
    for (const { id } of sources) await subscribe(id, hook.id);
    const costOf = async (work: () => Promise<unknown>) => {
      const before = stage.units.read;
      await work();
      return stage.units.read - before;
    };
    const [first] = sources;
    const one = await costOf(() => deliver(message(first ?? expect.fail())));
    const five = await costOf(() => Promise.all(sources.map((source) => deliver(message(source)))));
    expect(receiver.received).toHaveLength(6);
    // Reads per emitter: its own subscriptions. Shared reads: the owner's globs and the webhook.
    expect([one, five]).toEqual([1 + 1 + 0.5, 5 + 1 + 0.5]);
  });

  test('reaches a listener once, however many subscriptions match', async () => {
    const [source, hook] = [await stage.source(), await webhook()];
    await subscribe(source.id, hook.id);
    await subscribe('dc_*', hook.id);
    await deliver(message(source), message(source));
    expect(receiver.received).toHaveLength(2);
  });

  test('reaches only listeners of its stream, and of its emitter or a glob of its kind', async () => {
    const [source, other] = [await stage.source(), await stage.source()];
    const hooks = await Promise.all([webhook(), webhook(), webhook(), webhook()]);
    await subscribe(source.id, hooks[0].id, 'things');
    await subscribe(other.id, hooks[1].id);
    await subscribe('p_*', hooks[2].id);
    await subscribe('dc_*', hooks[3].id);
    await deliver(message(source));
    expect(receiver.received).toHaveLength(1);
    await world.deliver([message(source, {}, { stream: streamOf('things') })], stage.clock.now());
    expect(receiver.received).toHaveLength(2);
  });

  test('of a new subscription to a new webhook is delivered', async () => {
    const source = await stage.source();
    await deliver(message(source));
    const hook = await webhook();
    await subscribe(source.id, hook.id);
    await deliver(message(source));
    expect(receiver.received).toHaveLength(1);
  });

  test('has all its listeners also when they are many: the rest come by a message of its own', async () => {
    world = openWorld({ page: 3 });
    const source = await stage.source();
    const hooks = await Promise.all(
      Array.from({ length: 8 }, (_, index) => webhook({ url: `${receiver.url}/${index}` })),
    );
    for (const [index, { id }] of hooks.entries()) await subscribe(index % 2 ? 'dc_*' : source.id, id);
    let waiting = [message(source)];
    for (let round = 0; waiting.length > 0 && round < 10; round += 1) {
      await deliver(...waiting);
      waiting = world.again.splice(0);
    }
    expect(receiver.received).toHaveLength(8);
  });

  test('reaches a listening source as a trigger with the bare event, one hop further', async () => {
    const [source, listener] = [await stage.source(), await stage.source()];
    await subscribe(source.id, listener.id);
    const sent = message(source, [1], { hops: 3 });
    await deliver(sent);
    await deliver(sent);
    expect(world.triggers[0]).toMatchObject({
      kind: 'run',
      emitterId: listener.id,
      cause: 'source',
      hops: 4,
      passed: [source.id],
      payload: { json: '[1]' },
    });
    expect(world.triggers[1]?.id).toBe(world.triggers[0]?.id);
  });

  test('reaches its own source by an exact subscription, not by a glob', async () => {
    const source = await stage.source();
    await subscribe('dc_*', source.id);
    await deliver(message(source));
    expect(world.triggers).toEqual([]);
    await subscribe(source.id, source.id);
    await deliver(message(source));
    expect(world.triggers).toHaveLength(1);
  });

  test('that reports a cut chain starts no other chain', async () => {
    const source = await stage.source();
    await subscribe(source.id, source.id, '$errors');
    await deliver(message(source, {}, { stream: '$errors', hops: 17 }));
    await deliver(message(source, {}, { stream: '$errors', hops: 2, passed: [source.id, source.id] }));
    expect(world.triggers).toEqual([]);
    await deliver(message(source, {}, { stream: '$errors', hops: 1, passed: [source.id] }));
    expect(world.triggers).toMatchObject([{ hops: 2, passed: [source.id, source.id] }]);
  });

  test('skips disabled sources, and those whose owner is over quota with one notice a day', async () => {
    const [source, disabled, listener] = [
      await stage.source(),
      await stage.source({}, { state: 'inactive' }),
      await stage.source(),
    ];
    await subscribe(source.id, disabled.id);
    await deliver(message(source));
    expect(world.triggers).toEqual([]);
    await subscribe(source.id, listener.id);
    await stage.users.setPlan(stage.ownerId, { plan: 'free', dailyInvocations: 1 });
    await stage.services.usages.add(stage.ownerId, { invocations: 1, computeMs: 1 }, stage.clock.now());
    stage.clock.advance(31_000);
    await deliver(message(source), message(source));
    await deliver(message(source));
    expect(world.triggers).toMatchObject([{ kind: 'emit', emitterId: listener.id, stream: '$errors' }]);
  });

  test('reaches a workflow with an address as a signed POST', async () => {
    const source = await stage.source();
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const id = WorkflowId.parse(newId('workflow', stage.clock.now(), random));
    await workflowStore(stage.table).create({
      id,
      ownerId: stage.ownerId,
      name: 'w',
      target: receiver.url,
      credentialHash: '',
      secret,
      createdAt: 0,
    });
    await subscribe(source.id, id);
    stage.clock.advance(Date.now() - stage.clock.now());
    await deliver(message(source, { a: 1 }));
    const [got] = receiver.received;
    new Verifier(secret).verify(got?.body ?? '', got?.headers as Record<string, string>);
  });

  test('for a disabled webhook is held, and not sent', async () => {
    const [source, hook] = [await stage.source(), await webhook({ active: false })];
    await subscribe(source.id, hook.id);
    await deliver(message(source));
    expect(receiver.received).toEqual([]);
    expect(world.retries).toEqual([]);
  });

  test('larger than a message is read from the bucket', async () => {
    const [source, hook] = [await stage.source(), await webhook()];
    await subscribe(source.id, hook.id);
    stage.objects.set('payloads/p', '"large"');
    await deliver(message(source, {}, { payload: { key: 'payloads/p' } }));
    expect(receiver.received[0]?.body).toBe('"large"');
  });
});

describe('an attempt', () => {
  const one = async (more: Partial<Webhook> = {}) => {
    const [source, hook] = [await stage.source(), await webhook(more)];
    await subscribe(source.id, hook.id);
    return { source, hook };
  };

  test.each([300, 301, 307, 404, 500])(
    'answered with %i has failed, and redirects are not followed',
    async (status) => {
      const { source } = await one();
      receiver.answer = () => ({ status, headers: { location: receiver.url } });
      await deliver(message(source));
      expect(receiver.received).toHaveLength(1);
      expect(world.retries).toMatchObject([{ message: { attempt: 2 } }]);
      const { delaySeconds } = world.retries[0] ?? { delaySeconds: 0 };
      expect(delaySeconds).toBeGreaterThanOrEqual(4);
      expect(delaySeconds).toBeLessThanOrEqual(6);
    },
  );

  test('answered with 410 disables the webhook immediately', async () => {
    const { source, hook } = await one();
    receiver.answer = () => ({ status: 410 });
    await deliver(message(source));
    expect(world.retries).toEqual([]);
    expect((await webhookStore(stage.table).find(hook.id))?.active).toBe(false);
  });

  test('without an answer within 5 s has timed out, and the next one waits a minute', async () => {
    const { source } = await one();
    receiver.answer = () => 'hang';
    await deliver(message(source));
    expect(world.retries[0]?.delaySeconds).toBeGreaterThanOrEqual(60);
  });

  test('at a private address is refused before a byte is sent, where those are not allowed', async () => {
    world = openWorld({ page: 200, allowPrivate: false });
    const { source } = await one();
    await deliver(message(source));
    expect(receiver.received).toEqual([]);
    const [{ message: retrying } = { message: undefined }] = world.retries;
    if (!retrying) throw new Error('There is no retry');
    const row = await world.deliveries.find(retrying.listenerId, retrying.deliveryId);
    expect(row?.attempts[0]).toMatchObject({
      outcome: 'unreachable',
      answer: expect.stringContaining('loopback') as string,
    });
  });

  test('to a webhook that failed a moment ago is left to the retries', async () => {
    const { source } = await one();
    receiver.answer = () => ({ status: 500 });
    await deliver(message(source));
    await deliver(message(source));
    expect(receiver.received).toHaveLength(1);
    expect(
      world.retries.map(({ message: { attempt }, delaySeconds }) => [attempt, delaySeconds > 0]),
    ).toEqual([
      [2, true],
      [1, false],
    ]);
    receiver.answer = () => ({ status: 200 });
    const [, second] = world.retries;
    if (!second) throw new Error('unreachable');
    await world.retry(second.message);
    expect(receiver.received).toHaveLength(2);
    stage.clock.advance(31_000);
    await deliver(message(source));
    expect(receiver.received).toHaveLength(3);
  });

  test('a slow webhook does not keep the others waiting, and an answer without end is not read', async () => {
    const { source } = await one();
    receiver.answer = () => ({ status: 200, headers: { 'content-length': '10000000' } });
    await deliver(message(source));
    // An attempt that reads to the end of the answer would fail.
    expect(world.retries).toEqual([]);
  });
});

describe('the walk of one delivery', () => {
  /** The next message and the moment it comes, from the queue or from its schedule. */
  const next = () => {
    const queued = world.retries.shift();
    if (queued)
      return { message: queued.message, at: stage.clock.now() + queued.delaySeconds * 1000, by: 'queue' };
    const [name, scheduled] = [...world.schedules][0] ?? [];
    if (name === undefined || !scheduled) return undefined;
    world.schedules.delete(name);
    return { ...scheduled, by: 'schedule' };
  };

  test('goes through ten attempts in their bounds, each freshly signed, survives restarts, and ends', async () => {
    const [source, hook] = [await stage.source(), await webhook()];
    await subscribe(source.id, hook.id);
    receiver.answer = () => ({ status: 503 });
    stage.clock.advance(Date.now() - stage.clock.now());
    await deliver(message(source, { a: 1 }));
    const hours = [5 / 3600, 1 / 12, 0.5, 2, 5, 10, 14, 20, 24];
    const ways: string[] = [];
    const lasts: { deliveryId: RetryMessage['deliveryId'] }[] = [];
    for (const [index, delay] of hours.entries()) {
      const coming = next();
      if (!coming) throw new Error(`There is no attempt ${index + 2}`);
      ways.push(coming.by);
      expect(coming.message.attempt).toBe(index + 2);
      const waited = coming.at - stage.clock.now();
      expect(waited).toBeGreaterThanOrEqual(delay * 3_600_000 * 0.8);
      expect(waited).toBeLessThanOrEqual(delay * 3_600_000 * 1.2 + 1_000);
      stage.clock.advance(waited);
      if (index === 4) world = openWorld({ page: 200 });
      await world.retry(coming.message);
      lasts.push(coming.message);
    }
    expect(next()).toBeUndefined();
    expect(receiver.received).toHaveLength(10);
    expect(ways.slice(0, 2)).toEqual(['queue', 'queue']);
    expect(ways.slice(2)).toEqual(Array.from({ length: 7 }, () => 'schedule'));
    const stamps = receiver.received.map(({ headers }) => headers['webhook-timestamp']);
    expect(new Set(stamps).size).toBe(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size).toBe(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [{ deliveryId } = { deliveryId: undefined }] = lasts;
    const row = deliveryId && (await world.deliveries.find(hook.id, deliveryId));
    expect(row).toMatchObject({ status: 'dead', made: 10 });
    expect(row?.attempts).toHaveLength(10);
  });

  const failedOnce = async () => {
    const [source, hook] = [await stage.source(), await webhook()];
    await subscribe(source.id, hook.id);
    receiver.answer = (index) => ({ status: index < 2 ? 500 : 200 });
    await deliver(message(source));
    const coming = next();
    if (!coming) throw new Error('There is no retry');
    return { hook, message: coming.message };
  };
  const deliveryOf = ({ listenerId, deliveryId }: RetryMessage) =>
    world.deliveries.find(listenerId, deliveryId);

  test('ends with the attempt that succeeds', async () => {
    const { message: second } = await failedOnce();
    await world.retry(second);
    const third = next();
    if (!third) throw new Error('There is no third attempt');
    await world.retry(third.message);
    expect(next()).toBeUndefined();
    expect(await deliveryOf(second)).toMatchObject({ status: 'delivered', made: 3 });
  });

  test('survives dying between the row and the next message', async () => {
    const { message: second } = await failedOnce();
    const dying = createRetry({
      ...world.retryServices,
      sendRetry: () => Promise.reject(new Error('power')),
    });
    await expect(dying(second)).rejects.toThrow('power');
    expect(receiver.received).toHaveLength(2);
    await world.retry(second);
    expect(receiver.received).toHaveLength(2);
    expect(next()?.message.attempt).toBe(3);
  });

  test('survives dying between the attempt and the row: the attempt is made again', async () => {
    const { message: second } = await failedOnce();
    const broken = { ...world.deliveries, record: () => Promise.reject(new Error('power')) };
    await expect(createRetry({ ...world.retryServices, deliveries: broken })(second)).rejects.toThrow(
      'power',
    );
    stage.clock.advance(90_000);
    await world.retry(second);
    expect(await deliveryOf(second)).toMatchObject({ status: 'delivered', made: 2 });
  });

  test('the same message twice makes one chain', async () => {
    receiver.answer = () => ({ status: 500 });
    const { message: second } = await failedOnce();
    receiver.answer = () => ({ status: 500 });
    await Promise.all([world.retry(second), world.retry(second)]);
    expect(receiver.received).toHaveLength(2);
    expect(world.retries.filter(({ message: { attempt } }) => attempt === 3)).toHaveLength(1);
  });

  test('ends quietly when its webhook is deleted, and is held when it was disabled', async () => {
    const first = await failedOnce();
    await webhookStore(stage.table).change(first.hook.id, { active: false }, stage.clock.now());
    await world.retry(first.message);
    expect(await deliveryOf(first.message)).toMatchObject({ status: 'held' });
    receiver.received.length = 0;
    const other = await failedOnce();
    await webhookStore(stage.table).remove(other.hook);
    await world.retry(other.message);
    expect(await deliveryOf(other.message)).toBeUndefined();
    expect(next()).toBeUndefined();
  });
});
