import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUnreadableItems } from '../../../../../bin/admin/unreadable-items.ts';
import { WebhookId, WorkflowId } from '../../../../../shared/domain/id.ts';
import type { DrainMessage, RetryMessage } from '../../../../../shared/domain/run/message.ts';
import { HEALTHY } from '../../../../../shared/domain/webhook/webhook-health.ts';
import { resumeUser, suspendUser } from '../../../../../shared/service/users/suspend-user.ts';
import { userStore, type UserStore } from '../../../../../shared/store/users/users.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import type { BacklogStore } from '../../../../../shared/store/emitters/backlog.ts';
import { LAST_SEQUENCE } from '../../../../../shared/store/emitters/backlog-item.ts';
import { deliveryStore } from '../../../../../shared/store/deliveries/deliveries.ts';
import { waitingAndHeldDeliveries } from '../../../../../shared/store/deliveries/delivery-lists.ts';
import { waitingKey } from '../../../../../shared/store/table/keys.ts';
import { webhookStore } from '../../../../../shared/store/subscriptions/webhooks.ts';
import { workflowStore } from '../../../../../shared/store/emitters/workflows.ts';
import { aWebhook } from '../../../../support/a-webhook.ts';
import { type BacklogWorld, backlogWorld } from '../../../../support/world/backlog.ts';
import { emits, ended } from '../../../../support/world/script.ts';

let world: BacklogWorld;
let source: Source;
let users: UserStore;
beforeEach(async () => {
  world = await backlogWorld();
  world.control.script = (job) => [emits(job.kind === 'run' ? job.event : '{}'), ended()];
  source = await world.source({ timer: { cron: '* * * * *' } });
  await world.sources.setSuspension(source.id, { since: world.clock.now() });
  sent = [];
  users = userStore(world.table);
  const user = { username: 'ann', email: 'a@b.c', plan: 'free', keyHash: 'k', createdAt: 0 } as const;
  await users.create({ ...user, id: world.ownerId, suspendedAt: 0 });
});
afterEach(() => world.close());

/** The messages about webhooks, each with its delay in seconds. */
let sent: [RetryMessage, number][];
const servicesOf = (backlogs: Pick<BacklogStore, 'waiting'>) => ({
  users,
  sources: world.sources,
  webhooks: webhookStore(world.table),
  workflows: workflowStore(world.table),
  deliveries: deliveryStore(world.table, () => world.clock.now()),
  waitingAndHeldDeliveries: waitingAndHeldDeliveries(world.table),
  backlogs: { ...world.services.backlogs, ...backlogs },
  waitingTriggers: world.services.waitingTriggers,
  sendDrain: async (message: DrainMessage) => world.send(message),
  sendRetry: async (...message: [RetryMessage, number]) => void sent.push(message),
  unreadable: createUnreadableItems(),
  now: () => world.clock.now(),
});
const resume = (backlogs: Pick<BacklogStore, 'waiting'> = world.services.backlogs) =>
  resumeUser(servicesOf(backlogs), world.ownerId);
const waiting = async () => (await world.services.backlogs.waiting([source.id])).get(source.id)?.count ?? 0;

/** As an earlier release stored the trigger of a suspended source: its state says that the trigger is completed. */
async function keep(json: string, sequence: string): Promise<void> {
  const Item = { ...waitingKey(source.id, 'kept', sequence.padStart(20, '0')), json, bytes: json.length };
  await world.table.dynamo.send(new PutCommand({ TableName: world.table.tableName, Item }));
}

test('a suspension marks the user, sources, workflows and webhooks with one time, and its end clears them', async () => {
  const services = servicesOf(world.services.backlogs);
  const { webhooks, workflows } = services;
  const before = (await world.sources.find(source.id))?.suspension;
  await suspendUser(services, world.ownerId);
  expect((await world.sources.find(source.id))?.suspension, 'an earlier mark of a source stays').toEqual(before);
  await resume();
  const listenerId = WebhookId.parse('wh_1');
  await webhooks.create(aWebhook({ id: listenerId, ownerId: world.ownerId }), 10);
  const workflowId = WorkflowId.parse('p_1');
  const workflow = { name: 'w', target: 'http://127.0.0.1:9/', credentialHash: '', secret: '', createdAt: 0 };
  await workflows.create({ ...workflow, id: workflowId, ownerId: world.ownerId });
  const marks = async () => [
    (await users.find(world.ownerId))?.suspendedAt,
    (await world.sources.find(source.id))?.suspension?.since,
    (await workflows.find(workflowId))?.suspendedAt,
    (await webhooks.find(listenerId))?.suspendedAt,
  ];
  expect(await marks()).toEqual([undefined, undefined, undefined, undefined]);
  const { since } = await suspendUser(services, world.ownerId);
  expect(await marks()).toEqual([since, since, since, since]);
  world.clock.advance(60_000);
  expect((await suspendUser(services, world.ownerId)).since).toBe(since);
  expect(await marks()).toEqual([since, since, since, since]);
  await resume();
  expect(await marks()).toEqual([undefined, undefined, undefined, undefined]);
});

describe('a webhook of a suspended user', () => {
  const listenerId = WebhookId.parse('wh_1');
  const create = (more: object) =>
    webhookStore(world.table).create(aWebhook({ id: listenerId, ownerId: world.ownerId, ...more }), 10);

  test('holds its deliveries from the suspension on; resumed, it sends what waits', async () => {
    await create({});
    await suspendUser(servicesOf(world.services.backlogs), world.ownerId);
    await resume();
    expect(sent).toEqual([
      [{ kind: 'hold', listenerId }, 0],
      [{ kind: 'drain', listenerId }, 0],
    ]);
  });

  test('is probed at the time of its open breaker when it is resumed', async () => {
    const probeAt = world.clock.now() + 40_000;
    await create({ suspendedAt: 0, health: { ...HEALTHY, breaker: { openedAt: 0, probe: 3, probeAt } } });
    await resume();
    expect(sent).toEqual([[{ kind: 'probe', listenerId, probe: 3 }, 40]]);
  });

  test('that is off sends nothing when it is resumed', async () => {
    await create({ suspendedAt: 0, active: false });
    await resume();
    expect(sent).toEqual([]);
    expect(await webhookStore(world.table).find(listenerId)).not.toHaveProperty('suspendedAt');
  });
});

describe('a suspended source', () => {
  test('runs nothing; resumed, it goes on in order with what arrived meanwhile', async () => {
    for (let n = 0; n < 12; n += 1) world.send(world.trigger(source, { n }));
    await world.settle();
    expect([world.requests.length, await waiting()]).toEqual([0, 12]);
    world.clock.advance(3 * 24 * 3_600_000);
    world.send(world.trigger(source, { n: 12 }));
    await world.settle();
    expect([world.requests.length, await waiting()]).toEqual([0, 13]);

    expect(await resume()).toMatchObject({ triggers: 13, deliveries: 0 });
    await world.settle();
    expect(await world.emitted(source)).toEqual(Array.from({ length: 13 }, (_, n) => n));
    expect(await world.backlogOf(source)).toBeUndefined();
  });

  test('goes on also when its backlog is so new that an eventually consistent read does not show it', async () => {
    for (let n = 0; n < 3; n += 1) world.send(world.trigger(source, { n }));
    await world.settle();
    await resume({ waiting: () => Promise.resolve(new Map()) });
    await world.settle();
    expect(await world.emitted(source)).toEqual([0, 1, 2]);
  });

  test('drops ticks, and leaves no record of them', async () => {
    world.send(world.trigger(source, {}, { cause: 'timer', generation: source.generation }));
    await world.settle();
    expect(await waiting()).toBe(0);
    await resume();
    await world.settle();
    expect(world.requests).toEqual([]);
    expect((await world.services.emitters.load(source.id)).state.runs.text).toBe('');
  });

  test('that is resumed with nothing that waits goes on', async () => {
    expect(await resume()).toMatchObject({ triggers: 0, deliveries: 0 });
    world.send(world.trigger(source, { n: 1 }));
    await world.settle();
    expect(await world.emitted(source)).toEqual([1]);
  });

  test('leaves nothing behind when it is deleted', async () => {
    for (let n = 0; n < 3; n += 1) world.send(world.trigger(source, { n, text: 'x'.repeat(5_000) }));
    await world.settle();
    await world.sources.tombstone(source.id);
    world.send({ kind: 'purge', id: 'p', emitterId: source.id, ownerId: world.ownerId, at: 0 });
    await world.settle();
    expect(await world.services.waitingTriggers.next(source.id, { last: LAST_SEQUENCE, limit: 10 })).toEqual([]);
    expect([...world.objects.keys()]).toEqual([]);
    expect(await world.services.emitters.load(source.id)).toMatchObject({ state: { version: 0 } });
    expect([await world.backlogOf(source), await world.sources.find(source.id)]).toEqual([undefined, undefined]);
    expect(world.requests).toEqual([]);
  });
});

describe('triggers that an earlier release kept for a suspended source', () => {
  test('run first when it is resumed, before those that arrived since', async () => {
    for (const n of [0, 1]) await keep(JSON.stringify(world.trigger(source, { n })), String(n + 1));
    const { state } = await world.services.emitters.load(source.id);
    const done = { queue: 'arn:runs', sequence: '9'.padStart(20, '0') };
    await world.services.emitters.save({ emitterId: source.id, state: { ...state, done } });
    for (const n of [2, 3]) world.send(world.trigger(source, { n }));
    await world.settle();
    await resume();
    await world.settle();
    expect(await world.emitted(source)).toEqual([0, 1, 2, 3]);
  });

  test('run also when nothing arrived since', async () => {
    await keep(JSON.stringify(world.trigger(source, { n: 7 })), '1');
    expect(await resume()).toMatchObject({ triggers: 1 });
    await world.settle();
    expect(await world.emitted(source)).toEqual([7]);
    expect(await world.backlogOf(source)).toBeUndefined();
  });

  test.each(['{"kind":"of a later release"}', '{'])(
    'and that cannot be read, %s, become dead letters; the others run',
    async (json) => {
      await keep(JSON.stringify(world.trigger(source, { n: 0 })), '1');
      await keep(json, '2');
      await keep(JSON.stringify(world.trigger(source, { n: 2 })), '3');
      await resume();
      await world.settle();
      expect(await world.emitted(source)).toEqual([0, 2]);
      expect(world.aside).toEqual([json]);
    },
  );
});
