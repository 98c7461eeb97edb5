import { setImmediate } from 'node:timers/promises';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { Webhook as Verifier } from 'standardwebhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { deliveryIdOf } from '../../../../../shared/domain/delivery/delivery.ts';
import type { ListenerId, SourceId } from '../../../../../shared/domain/id.ts';
import type { DeliveryMessage, RetryMessage } from '../../../../../shared/domain/run/message.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { streamOf } from '../../../../../shared/domain/event/stream.ts';
import type { Webhook } from '../../../../../shared/domain/webhook/webhook.ts';
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import { webhookStore } from '../../../../../shared/store/subscriptions/webhooks.ts';
import { gate } from '../../../../support/gate.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import { type Deliveries, openDeliveries } from '../../../../support/open-deliveries.ts';
import type { World } from '../../../../support/world/world.ts';
import { until } from '../../../../support/until.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let openProcess: Deliveries['openProcess'];
let subscribed: Deliveries['subscribed'];
beforeEach(async () => {
  ({ stage, receiver, world, openProcess, subscribed } = await openDeliveries());
});

const webhook = (more: Partial<Webhook> = {}) => world.webhook({ url: receiver.url, ...more });
const subscribe = (emitter: SourceId | 'dc_*' | 'p_*', listenerId: ListenerId, eventName = '') =>
  world.subscribe(emitter, listenerId, eventName);
const message = (source: Pick<Source, 'id'>, body?: unknown, more: Partial<DeliveryMessage> = {}) =>
  world.message(source, body, more);
const numberOf = (message: RetryMessage) => (message.kind === 'retry' ? message.turn : undefined);
const listed = (hook: Webhook) => world.listed(hook);
const deliver = (...messages: DeliveryMessage[]) => world.deliver(messages, stage.clock.now());

describe('an event', () => {
  test('reaches a webhook immediately, signed, with its JSON as it was emitted', async () => {
    const { source, hook } = await subscribed();
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

  test('whose first attempt fails counts as stored for 30 days, however its delivery ends', async () => {
    const { source } = await subscribed();
    receiver.respond = () => ({ status: 500 });
    const json = JSON.stringify({ text: 'x'.repeat(50_000) });
    await deliver(message(source, undefined, { payload: { json } }));
    await world.attemptCounts.settle();
    const counted = async () => (await stage.stored()).total;
    expect(await counted()).toBe(json.length);
    stage.clock.advance(29 * DAY_MS);
    expect(await counted()).toBe(json.length);
    stage.clock.advance(2 * DAY_MS);
    expect(await counted()).toBe(0);
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
    const batch = await costOf(() => deliver(...sources.map((source) => message(source))));
    const batches = await costOf(() => Promise.all(sources.map((source) => deliver(message(source)))));
    expect(receiver.received).toHaveLength(11);
    // Reads per emitter: its own subscriptions. Shared reads: the owner's globs and the webhook.
    expect([one, batch, batches]).toEqual([1 + 1 + 1, 5 + 1 + 1, 5 + 1 + 1]);
  });

  test('whose payload has expired is not sent, and does not come back', async () => {
    const { source } = await subscribed();
    await deliver(message(source, {}, { payload: { key: 'payloads/expired' } }), message(source));
    expect(receiver.received).toHaveLength(1);
  });

  test('of an emitter whose webhook cannot be read comes back, and those of other emitters do not', async () => {
    const [good, bad] = [await stage.source(), await stage.source()];
    const [hook, other] = [await webhook(), await webhook({ secret: { dataKey: '', nonce: '', text: 'x' } })];
    await subscribe(good.id, hook.id);
    await subscribe(bad.id, hook.id);
    await subscribe(bad.id, other.id);
    const [first, second] = [message(good), message(bad)];
    const failures = await world.failuresOf([first, second]);
    expect([...failures.keys()]).toEqual([second]);
    // The webhook that works has got both.
    expect(receiver.received).toHaveLength(2);
  });

  test('reaches a listener once, however many subscriptions match', async () => {
    const { source, hook } = await subscribed();
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
    world = openProcess({ page: 3 });
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
    const { id, secret } = await world.workflow(receiver.url);
    await subscribe(source.id, id);
    stage.clock.advance(Date.now() - stage.clock.now());
    await deliver(message(source, { a: 1 }));
    const [got] = receiver.received;
    new Verifier(secret).verify(got?.body ?? '', got?.headers as Record<string, string>);
  });

  test('for a disabled webhook is held, and not sent', async () => {
    const { source } = await subscribed({ active: false });
    await deliver(message(source));
    expect(receiver.received).toEqual([]);
    expect(world.retries).toEqual([]);
  });

  test('larger than a message is read from the bucket', async () => {
    const { source } = await subscribed();
    stage.objects.set('payloads/p', '"large"');
    await deliver(message(source, {}, { payload: { key: 'payloads/p' } }));
    expect(receiver.received[0]?.body).toBe('"large"');
  });
});

describe('an attempt', () => {
  test.each([300, 301, 307, 404, 500])(
    'answered with %i has failed, and redirects are not followed',
    async (status) => {
      const { source } = await subscribed();
      receiver.respond = () => ({ status, headers: { location: receiver.url } });
      await deliver(message(source));
      expect(receiver.received).toHaveLength(1);
      expect(world.retries).toMatchObject([{ message: { kind: 'retry', turn: 1 } }]);
      const { delaySeconds } = world.retries[0] ?? { delaySeconds: 0 };
      expect(delaySeconds).toBeGreaterThanOrEqual(4);
      expect(delaySeconds).toBeLessThanOrEqual(6);
    },
  );

  test('without a response within 5 s has timed out, and the next one waits a minute', async () => {
    const { source } = await subscribed();
    receiver.respond = () => 'hang';
    await deliver(message(source));
    expect(world.retries.at(-1)?.delaySeconds).toBeGreaterThanOrEqual(60);
  });

  test('at a private address is refused before a byte is sent, where those are not allowed', async () => {
    world = openProcess({ allowPrivate: false });
    const { source, hook } = await subscribed();
    await deliver(message(source));
    expect(receiver.received).toEqual([]);
    const [delivery = expect.fail()] = await listed(hook);
    expect(await world.list.attempts(delivery)).toMatchObject([
      { attempt: 1, reason: expect.stringContaining('loopback') as string },
    ]);
  });

  test('to a webhook that failed a moment ago is left to the retries', async () => {
    const { source } = await subscribed();
    receiver.respond = () => ({ status: 500 });
    await deliver(message(source));
    await deliver(message(source));
    expect(receiver.received).toHaveLength(1);
    expect(world.retries.map(({ message, delaySeconds }) => [numberOf(message), delaySeconds > 0])).toEqual([
      [1, true],
      [0, false],
    ]);
    receiver.respond = () => ({ status: 200 });
    const [, second] = world.retries;
    if (!second) throw new Error('unreachable');
    stage.clock.advance(1_000);
    await world.retry(second.message);
    expect(receiver.received).toHaveLength(2);
    // It works again, so the next delivery has a first attempt at once.
    await deliver(message(source));
    expect(receiver.received).toHaveLength(3);
  });

  test('waits while as many first attempts are under way as the process makes at once', async () => {
    world = openProcess({ maxUnderWay: 2 });
    const { source } = await subscribed();
    const { opened, open } = gate();
    receiver.respond = () => ({ status: 200, after: opened });
    const match = vi.spyOn(world.matching, 'match');
    const delivered = Promise.all(Array.from({ length: 3 }, () => deliver(message(source))));
    await until('two are under way, and the third is matched', () => {
      const matched = match.mock.settledResults.filter(({ type }) => type === 'fulfilled');
      return matched.length === 3 && receiver.received.length >= 2;
    });
    // Iterations of the event loop in which a third request would come.
    for (let iteration = 0; iteration < 100; iteration += 1) await setImmediate();
    expect(receiver.received).toHaveLength(2);
    open();
    await delivered;
    expect(receiver.received).toHaveLength(3);
    expect(world.retries).toEqual([]);
  });

  test('shares the read of its webhook with others that waited for the attempts under way', async () => {
    let reads = 0;
    const dynamo = new Proxy(stage.table.dynamo, {
      get: (client, member, receiver) => {
        if (member !== 'send') return Reflect.get(client, member, receiver) as unknown;
        return (command: Parameters<typeof client.send>[0]) => {
          if (command instanceof BatchGetCommand) reads += 1;
          return client.send(command);
        };
      },
    });
    world = openProcess({ maxUnderWay: 8, table: { ...stage.table, dynamo } });
    const { source } = await subscribed();
    let readsBefore = Infinity;
    receiver.onReceived = () => {
      if (receiver.received.length === 8) readsBefore = reads;
    };
    const gates = Array.from({ length: 8 }, gate);
    receiver.respond = (index) => ({ status: 200, after: gates[index]?.opened });
    const match = vi.spyOn(world.matching, 'match');
    const delivered = Promise.all(Array.from({ length: 12 }, () => deliver(message(source))));
    await until('the others wait', () => {
      const matched = match.mock.settledResults.filter(({ type }) => type === 'fulfilled');
      return matched.length === 12 && receiver.received.length === 8;
    });
    // They end one after the other, within the time in which their places are gathered.
    for (const { open } of gates) {
      open();
      await setImmediate();
    }
    await delivered;
    expect(receiver.received).toHaveLength(12);
    expect(reads - readsBefore).toBeGreaterThanOrEqual(1);
    expect(reads - readsBefore).toBeLessThan(4);
  });

  test('is left to the retries when the attempts under way take as long as an attempt may', async () => {
    world = openProcess({ maxUnderWay: 2 });
    const { source } = await subscribed();
    receiver.respond = () => 'hang';
    await Promise.all(Array.from({ length: 3 }, () => deliver(message(source))));
    expect(receiver.received).toHaveLength(2);
    const atOnce = world.retries.filter(({ delaySeconds }) => delaySeconds === 0);
    expect(atOnce.map(({ message }) => numberOf(message))).toEqual([0]);
  });

  test('of a batch that fails in part opens no breaker, and the last success ends the failure', async () => {
    const { source, hook } = await subscribed();
    const { opened, open } = gate();
    receiver.respond = (index) => ({
      status: index % 3 === 1 ? 200 : 500,
      after: index === 4 ? opened : undefined,
    });
    const delivered = deliver(...Array.from({ length: 5 }, () => message(source)));
    await until('the failures are recorded', () => world.recordedFailures() === 3);
    open();
    await delivered;
    const { health } = (await webhookStore(stage.table).find(hook.id)) ?? expect.fail();
    expect(health.breaker).toBeUndefined();
    expect(health.failingSince).toBeUndefined();
    expect(world.warnings.at(-1)).toBe('webhook.recovered');
  });

  test('a slow webhook does not keep the others waiting, and a response without end is not read', async () => {
    const { source, hook } = await subscribed();
    receiver.respond = () => ({ status: 200, headers: { 'content-length': '10000000' } });
    await deliver(message(source));
    // An attempt that reads to the end of the response would fail.
    expect(await listed(hook)).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
  });
});

describe('the walk of one delivery', () => {
  /** The next message of a delivery and the moment it comes, from the queue or from its schedule. */
  const next = () => {
    const index = world.retries.findIndex(({ message }) => message.kind === 'retry');
    const [queued] = index < 0 ? [] : world.retries.splice(index, 1);
    if (queued) return { message: queued.message, at: stage.clock.now() + queued.delaySeconds * 1000, by: 'queue' };
    const [name, scheduled] = [...world.schedules][0] ?? [];
    if (name === undefined || !scheduled) return undefined;
    world.schedules.delete(name);
    return { ...scheduled, by: 'schedule' };
  };

  test('goes through ten attempts in their bounds, each freshly signed, survives restarts, and ends', async () => {
    const { source, hook } = await subscribed();
    receiver.respond = () => ({ status: 503 });
    stage.clock.advance(Date.now() - stage.clock.now());
    await deliver(message(source, { a: 1 }));
    const hours = [5 / 3600, 1 / 12, 0.5, 2, 5, 10, 14, 20, 24];
    const ways: string[] = [];
    for (const [index, delay] of hours.entries()) {
      const coming = next();
      if (!coming) throw new Error(`There is no attempt ${index + 2}`);
      ways.push(coming.by);
      expect(numberOf(coming.message)).toBe(index + 1);
      const waited = coming.at - stage.clock.now();
      expect(waited).toBeGreaterThanOrEqual(delay * 3_600_000 * 0.8);
      expect(waited).toBeLessThanOrEqual(delay * 3_600_000 * 1.2 + 1_000);
      stage.clock.advance(waited);
      if (index === 4) world = openProcess();
      await world.retry(coming.message);
    }
    expect(next()).toBeUndefined();
    expect(receiver.received).toHaveLength(10);
    expect(ways.slice(0, 2)).toEqual(['queue', 'queue']);
    expect(ways.slice(2)).toEqual(Array.from({ length: 7 }, () => 'schedule'));
    const stamps = receiver.received.map(({ headers }) => headers['webhook-timestamp']);
    expect(new Set(stamps).size).toBe(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size).toBe(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [delivery = expect.fail()] = await listed(hook);
    expect(delivery).toMatchObject({ status: 'failed', attemptCount: 10 });
    expect((await world.list.attempts(delivery)).map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 1),
    );
  });

  const failedOnce = async () => {
    const { source, hook } = await subscribed();
    receiver.respond = (index) => ({ status: index < 2 ? 500 : 200 });
    await deliver(message(source));
    const coming = next();
    if (!coming) throw new Error('There is no retry');
    return { hook, message: coming.message };
  };
  const only = async (hook: Webhook) => (await listed(hook))[0];

  test('ends with the attempt that succeeds', async () => {
    const { hook, message: second } = await failedOnce();
    await world.retry(second);
    const third = next();
    if (!third) throw new Error('There is no third attempt');
    await world.retry(third.message);
    expect(next()).toBeUndefined();
    expect(await only(hook)).toMatchObject({ status: 'delivered', attemptCount: 3 });
    expect(world.warnings).toEqual(['webhook.failing', 'webhook.recovered']);
  });

  test('survives dying between the attempt and the next message: the attempt is made again', async () => {
    const { hook, message: second } = await failedOnce();
    const dying = world.retryHandler({
      sendNext: () => Promise.reject(new Error('power')),
    });
    await expect(dying(second)).rejects.toThrow('power');
    expect(receiver.received).toHaveLength(2);
    stage.clock.advance(90_000);
    await world.retry(second);
    expect(await only(hook)).toMatchObject({ status: 'delivered', attemptCount: 2 });
  });

  test('survives dying between the next message and the record: the attempt is made again', async () => {
    const { hook, message: second } = await failedOnce();
    const broken = { ...world.deliveries, record: () => Promise.reject(new Error('power')) };
    const dying = world.retryHandler({ deliveries: broken });
    await expect(dying(second)).rejects.toThrow('power');
    const third = next() ?? expect.fail();
    await world.retryAhead(third.message);
    expect(receiver.received).toHaveLength(2);
    stage.clock.advance(90_000);
    await world.retry(second);
    expect(await only(hook)).toMatchObject({ status: 'delivered', attemptCount: 2 });
  });

  /** A delivery as a fan-out leaves it whose process ends before it sends the message. */
  async function withoutMessage() {
    const { source, hook } = await subscribed();
    const sent = message(source);
    const { emitterId, ownerId, stream, eventId, emitId } = sent;
    await world.deliveries.create(
      {
        id: deliveryIdOf(sent, hook.id),
        listenerId: hook.id,
        ...{ emitterId, ownerId, stream, eventId, emitId },
        ...{
          status: 'pending',
          attemptCount: 0,
          scheduleStep: 0,
          messageNumber: 0,
          nextAt: stage.clock.now(),
        },
      },
      sent,
    );
    return { hook, sent };
  }

  test('goes on after a fan-out that died before it sent the message: a failed attempt has a next one', async () => {
    const { hook, sent } = await withoutMessage();
    receiver.respond = () => ({ status: 500 });
    await deliver(sent);
    const { messageNumber } = z.object({ messageNumber: z.number() }).parse(await only(hook));
    expect(world.retries.map((each) => numberOf(each.message))).toContain(messageNumber);
  });

  test('goes on after a fan-out that died before it sent the message, also when the webhook is inactive by then', async () => {
    const { hook, sent } = await withoutMessage();
    const read = (await webhookStore(stage.table).find(hook.id)) ?? expect.fail();
    await webhookStore(stage.table).change(read, { active: false });
    await deliver(sent);
    await world.retry((next() ?? expect.fail()).message);
    expect(await only(hook)).toMatchObject({ status: 'held' });
  });

  test('the same message twice makes one chain', async () => {
    const { message: second } = await failedOnce();
    receiver.respond = () => ({ status: 500 });
    await Promise.all([world.retry(second), world.retry(second)]);
    expect(receiver.received).toHaveLength(2);
    expect(world.retries.filter(({ message }) => numberOf(message) === 2)).toHaveLength(1);
  });

  test('ends quietly when its webhook is deleted, and is held when it was disabled', async () => {
    const first = await failedOnce();
    const read = (await webhookStore(stage.table).find(first.hook.id)) ?? expect.fail();
    await webhookStore(stage.table).change(read, { active: false });
    await world.retry(first.message);
    expect(await only(first.hook)).toMatchObject({ status: 'held' });
    receiver.received.length = 0;
    const other = await failedOnce();
    await webhookStore(stage.table).remove(other.hook);
    await world.retry(other.message);
    expect(await listed(other.hook)).toEqual([]);
    expect(next()).toBeUndefined();
  });
});
