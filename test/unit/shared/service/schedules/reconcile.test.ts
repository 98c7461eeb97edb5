import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { Definition } from '../../../../../infra/embedded/scheduler/definition.ts';
import { type SourceId, UserId, WorkflowId } from '../../../../../shared/domain/id.ts';
import { HEALTHY } from '../../../../../shared/domain/webhook/webhook-health.ts';
import { reconcile } from '../../../../../shared/service/schedules/reconcile.ts';
import { ORPHANS } from '../../../../../shared/service/schedules/reconcile-position.ts';
import { noCounts, type ReconcileCounts } from '../../../../../shared/service/schedules/reconcile-context.ts';
import { DELAYED_STREAM } from '../../../../../shared/domain/event/stream.ts';
import { delayedEmitName } from '../../../../../shared/service/schedules/delayed-emit-schedule.ts';
import { padded } from '../../../../../shared/store/emitters/backlog-item.ts';
import { deliveryKey, eventKey, sourceKey, userKey } from '../../../../../shared/store/table/keys.ts';
import { spoil } from '../../../../support/spoil.ts';
import { MINUTE, reconcileWorld, type ReconcileWorld } from '../../../../support/world/reconcile.ts';

const HOUR = 60 * MINUTE;
const nothing = noCounts();
const created = (more: Partial<ReconcileCounts['created']>) => ({ ...nothing.created, ...more });

/** A schedule of each kind, with the timers of every form. */
async function everyKind(world: ReconcileWorld) {
  const now = world.stage.clock.now();
  const sources = [
    await world.polling({ intervalSeconds: 300 }),
    await world.polling({ intervalSeconds: 45 }),
    await world.polling({ cron: '0 9 * * *', timezone: 'Europe/Berlin' }),
  ];
  const [source] = sources;
  const event = await world.delayedEmit(source ?? expect.fail(), now + 3 * HOUR);
  const webhook = await world.webhook();
  const { id: flow, ownerId } = { id: WorkflowId.parse('p_1'), ownerId: world.stage.ownerId };
  const settings = { name: 'f', target: 'https://a.b', credentialHash: 'c', secret: 's', createdAt: now };
  await world.workflows.create({ id: flow, ownerId, ...settings });
  await world.retrying(webhook, now + 2 * HOUR);
  await world.retrying({ id: flow }, now + 2 * HOUR);
  return { sources, event, webhook };
}

/** A schedule without the time of its creation. */
function timeless({ target, ...definition }: Definition) {
  const message = JSON.parse(target.input) as Record<string, unknown>;
  return {
    ...definition,
    startDate: undefined,
    target: { ...target, input: { ...message, at: undefined } },
  };
}
const shown = (stored: Map<string, Definition>) =>
  [...stored].map(([name, definition]) => [name, timeless(definition)]);

test('schedules of all four kinds that are gone are made again as they were, and a second run changes nothing', async () => {
  const world = await reconcileWorld();
  await everyKind(world);
  const before = await world.stored();
  expect(before.size).toBe(7);
  world.pass(7 * MINUTE);
  await world.deleteAll();
  expect(await world.reconcile()).toEqual({
    ...nothing,
    created: { timers: 3, delayed_emits: 1, retries: 2, keeping: 1 },
  });
  const after = await world.stored();
  expect(shown(after)).toEqual(shown(before));
  expect(await world.reconcile()).toEqual(nothing);
  expect(await world.stored()).toEqual(after);
});

test('a source with a backlog goes on, whose messages a restoration does not have', async () => {
  const world = await reconcileWorld();
  const [behind] = [await world.stage.source(), await world.stage.source()];
  const addition = { last: padded('7'), queue: 'arn:runs', queueNumber: 0, count: 1, bytes: 1 };
  await world.stage.services.backlogs.begin(behind.id, padded('7'), addition);
  expect(await world.reconcile()).toEqual({ ...nothing, messages: 1 });
  expect(world.sent.drains).toMatchObject([{ kind: 'drain', emitterId: behind.id }]);
});

test('ticks keep their times: an interval stays in step with its beginning, and no tick of a minute is left out', async () => {
  const world = await reconcileWorld();
  const { sources } = await everyKind(world);
  const anchor = world.stage.clock.now();
  await world.deleteAll();
  world.pass(7 * MINUTE + 1_000);
  world.sent.jobs.length = 0;
  await world.reconcile();
  const stored = await world.stored();
  const startOf = (index: number) => stored.get(`timer-${sources[index]?.id}`)?.startDate;
  expect(startOf(0)).toBe(anchor + 10 * MINUTE);
  expect(startOf(1)).toBe(anchor + 8 * MINUTE);
  // The schedule's first message, at minute 8, makes the ticks from minute 9 on.
  const due = world.sent.jobs.map(({ message }) => ('dueAt' in message ? message.dueAt - anchor : 0));
  expect(due).toEqual([450_000, 495_000]);
  expect(world.sent.jobs.map(({ delaySeconds }) => delaySeconds)).toEqual([29, 74]);
});

test('a delayed emit that was due meanwhile is emitted now', async () => {
  const world = await reconcileWorld();
  const { event } = await everyKind(world);
  await world.deleteAll();
  world.pass(30 * HOUR);
  world.made.length = 0;
  expect((await world.reconcile()).created.delayed_emits).toBe(1);
  await world.advance(1_000);
  const bodies = world.made.map(({ input }) => String(input['MessageBody']));
  expect(bodies.filter((body) => body.includes(`"delayedEventId":"${event}"`))).toHaveLength(1);
});

test('schedules that belong to nothing end, after two minutes, and those of the stack stay', async () => {
  const world = await reconcileWorld();
  const { sources, event, webhook } = await everyKind(world);
  const kept = await world.stored();
  const { schedules } = world;
  const [source = expect.fail()] = sources;
  const at = { at: new Date(world.stage.clock.now() + 50 * HOUR) };
  const message = JSON.stringify({
    kind: 'retry',
    deliveryId: `dl_${'0'.repeat(24)}`,
    listenerId: webhook.id,
    turn: 1,
  });
  const queueArn = world.services.queues.retriesQueueArn;
  const orphans = [
    `timer-dc_gone`,
    `keep-wh_gone`,
    `in-${source.id}-${event}9`,
    `in-dc_gone-${event}`,
    `dl_${'0'.repeat(24)}-1`,
  ];
  for (const name of [...orphans, 'TributaryMetrics-1', 'doctor-x'])
    await schedules.put({ name, when: at, queueArn, input: message });
  const young = await world.reconcile();
  // A timer and a delayed emit are written after their items.
  expect(young.ended).toEqual(created({ timers: 1 }));
  world.pass(3 * MINUTE);
  expect(await world.reconcile()).toEqual({
    ...nothing,
    ended: created({ keeping: 1, delayed_emits: 2, retries: 1 }),
  });
  expect([...(await world.stored()).keys()]).toEqual([...kept.keys(), 'TributaryMetrics-1', 'doctor-x'].sort());
});

test('the timer of another state of the table is replaced, as after a restore to an earlier time', async () => {
  const world = await reconcileWorld();
  const source = await world.polling({ intervalSeconds: 300 });
  const before = await world.stored();
  const { id: sourceId, ownerId } = source;
  const anchor = world.stage.clock.now();
  await world.timers.start({ sourceId, ownerId, generation: 7, anchor, timer: { intervalSeconds: 60 } });
  expect(await world.reconcile()).toEqual({ ...nothing, created: created({ timers: 1 }) });
  expect(shown(await world.stored())).toEqual(shown(before));
});

test('a retry that was sent since, and a delivery that ended, need no schedule', async () => {
  const world = await reconcileWorld();
  const webhook = await world.webhook();
  const delivery = await world.retrying(webhook, world.stage.clock.now() + 2 * HOUR);
  world.pass(3 * MINUTE);
  const { table } = world.stage;
  await table.dynamo.send(
    new UpdateCommand({
      TableName: table.tableName,
      Key: { pk: `DELIVERIES#${webhook.id}`, sk: delivery.id },
      UpdateExpression: 'SET #s = :s',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':s': 'delivered' },
    }),
  );
  expect(await world.reconcile()).toEqual({ ...nothing, ended: created({ retries: 1 }) });
});

test('messages that the queues of a deleted stack have lost are sent again: retries, probes, drains, recoveries, revisions', async () => {
  const world = await reconcileWorld();
  const { clock } = world.stage;
  const soon = await world.webhook();
  const delivery = await world.retrying(soon, clock.now() + 10 * MINUTE);
  const breaker = { openedAt: clock.now(), probe: 4, probeAt: clock.now() + 20_000 };
  const failing = await world.webhook({ health: { ...HEALTHY, breaker } });
  const waiting = await world.webhook();
  const parked = await world.retrying(waiting, clock.now() + 10 * MINUTE);
  await world.deliveries.move({ ...parked, nextAt: undefined }, 'waiting');
  const paused = await world.retrying(failing, clock.now() + 10 * MINUTE);
  await world.deliveries.move(paused, 'waiting');
  const since = { since: 0, until: 1, status: 'running', found: 9, sent: 2, delivered: 2, chunk: 3 } as const;
  const recovery = { id: 'rc_1' as never, ...since, startedAt: 0 };
  await world.recoveries.put(soon.id, recovery, undefined);
  const { configuration, traits } = await world.polling({ intervalSeconds: 300 });
  const pending = { revision: 2, triggerId: 'lifecycle-1', configuration, traits, hooks: [] };
  const lost = await world.stage.source({}, { pending: { ...pending, since: clock.now() - HOUR } });
  await world.stage.source({}, { pending: { ...pending, since: clock.now() } });
  world.sent.retries.length = 0;
  expect(await world.reconcile()).toEqual({ ...nothing, messages: 6 });
  expect(world.sent.retries).toEqual(
    expect.arrayContaining([
      { kind: 'retry', deliveryId: delivery.id, listenerId: soon.id, turn: 4 },
      { kind: 'recover', listenerId: soon.id, recoveryId: 'rc_1', part: 3 },
      { kind: 'probe', listenerId: failing.id, probe: 4 },
      { kind: 'retry', deliveryId: paused.id, listenerId: failing.id, turn: 4 },
      { kind: 'drain', listenerId: waiting.id },
    ]),
  );
  expect(world.sent.triggers).toEqual([expect.objectContaining({ id: 'lifecycle-1', emitterId: lost.id })]);
});

test('a source that is enabled or disabled meanwhile has the timer of its new state', async () => {
  const world = await reconcileWorld();
  const { sources, reader, schedules } = world.services;
  const source = await world.polling({ intervalSeconds: 300 });
  const change = (expression: string, values: Record<string, unknown>) => {
    const { dynamo, tableName } = world.stage.table;
    const Key = sourceKey(source.id);
    const names = expression.includes('#') ? { ExpressionAttributeNames: { '#s': 'state' } } : {};
    const ExpressionAttributeValues = values;
    return dynamo.send(
      new UpdateCommand({
        TableName: tableName,
        Key,
        UpdateExpression: expression,
        ExpressionAttributeValues,
        ...names,
      }),
    );
  };
  // Disabled between the read of the source and the change of its schedule.
  await world.deleteAll();
  let isChanged = false;
  const disabling = {
    schedules: {
      ...schedules,
      async create(schedule: Parameters<typeof schedules.create>[0]) {
        if (!isChanged) await change('SET #s = :s', { ':s': 'inactive' });
        isChanged = true;
        await schedules.create(schedule);
      },
    },
  };
  expect((await world.reconcile(disabling)).ended).toEqual(created({ timers: 1 }));
  expect(await reader.find(`timer-${source.id}`)).toBeUndefined();
  // Enabled between the two.
  await schedules.put({
    name: `timer-${source.id}`,
    when: { expression: 'rate(1 day)' },
    queueArn: 'arn:aws:sqs:us-east-1:000000000000:runs.fifo',
    input: '{}',
  });
  isChanged = false;
  const enabling = {
    schedules: {
      ...schedules,
      async delete(name: string) {
        if (!isChanged) await change('SET #s = :s, generation = :g', { ':s': 'active', ':g': 2 });
        isChanged = true;
        await schedules.delete(name);
      },
    },
  };
  expect((await world.reconcile(enabling)).created).toEqual(created({ timers: 1 }));
  expect((await reader.find(`timer-${source.id}`))?.input).toContain('"generation":2');
  // Its lifecycle runs: the reconciliation cannot know whether it wrote the schedule already, and says so.
  await world.deleteAll();
  const found = (await sources.find(source.id)) ?? expect.fail();
  const pending = { revision: 2, since: world.stage.clock.now(), triggerId: 't', hooks: [] };
  let reads = 0;
  const changing = {
    sources: {
      ids: sources.ids,
      find: async (id: SourceId) => {
        reads += 1;
        const { configuration, traits } = found;
        return reads < 3 ? sources.find(id) : { ...found, pending: { ...pending, configuration, traits } };
      },
    },
  };
  expect((await world.reconcile(changing)).unsettled).toBe(1);
});

test('a delayed emit of an earlier release, without the stored time, is counted as lost', async () => {
  const world = await reconcileWorld();
  const source = await world.stage.source();
  const id = await world.delayedEmit(source, world.stage.clock.now() + HOUR);
  const { dynamo, tableName } = world.stage.table;
  const Key = eventKey(source.id, '$in', id);
  await dynamo.send(new UpdateCommand({ TableName: tableName, Key, UpdateExpression: 'REMOVE d' }));
  expect(await world.reconcile()).toEqual(nothing);
  await world.deleteAll();
  expect(await world.reconcile()).toEqual({ ...nothing, lost: 1 });
});

test('a dry run counts the same and changes nothing', async () => {
  const world = await reconcileWorld();
  await everyKind(world);
  await world.deleteAll();
  await world.schedules.put({
    name: 'timer-dc_gone',
    when: { expression: 'rate(1 day)' },
    queueArn: world.services.queues.jobsQueueArn,
    input: '{}',
  });
  const before = await world.stored();
  const messages = world.sent.jobs.length;
  const counts = await world.reconcile({}, { isDry: true });
  expect(await world.stored()).toEqual(before);
  expect(world.sent.jobs).toHaveLength(messages);
  expect(await world.reconcile()).toEqual(counts);
});

test('an interrupted reconciliation continues after the user that it names, and with the orphans after the last one', async () => {
  const world = await reconcileWorld();
  await everyKind(world);
  const { ownerId } = world.stage;
  const positions: string[] = [];
  const context = { services: world.services, counts: noCounts(), isDry: false };
  for await (const position of reconcile(context)) positions.push(position);
  expect(positions).toEqual([ownerId, ORPHANS, ORPHANS]);
  await world.deleteAll();
  expect(await world.reconcile({}, { from: ownerId })).toEqual(nothing);
  expect(await world.reconcile({}, { from: ORPHANS })).toEqual(nothing);
  expect((await world.reconcile({}, { from: UserId.parse('u_0') })).created.timers).toBe(3);
});

test('an item or a schedule that cannot be read is named, and the others are reconciled', async () => {
  const world = await reconcileWorld();
  const { sources, webhook, event } = await everyKind(world);
  const [first, broken] = sources;
  if (!first || !broken) expect.fail();
  // The neighbours of what cannot be read: an older and a younger delivery of one webhook, and emits of one source.
  const delivery = await world.retrying(webhook, world.stage.clock.now() + 2 * HOUR);
  await world.retrying(webhook, world.stage.clock.now() + 2 * HOUR);
  await world.delayedEmit(first, world.stage.clock.now() + 3 * HOUR);
  const before = [...(await world.stored()).keys()];
  await world.deleteAll();
  const { table } = world.stage;
  await spoil(table, sourceKey(broken.id), { state: 'of another release' });
  await spoil(table, deliveryKey(webhook.id, delivery.id), { status: 'of another release' });
  await spoil(table, eventKey(first.id, DELAYED_STREAM, event), { j: 7 });
  await spoil(table, userKey(world.stage.ownerId), { plan: 'of another release' });
  const retry = `dl_${'0'.repeat(24)}-1`;
  await world.schedules.create({
    name: retry,
    when: { at: new Date(world.stage.clock.now() + HOUR) },
    queueArn: world.services.queues.retriesQueueArn,
    input: 'not JSON, but secret',
  });
  world.pass(10 * MINUTE);
  await world.reconcile();
  const names = [broken.id, delivery.id, eventKey(first.id, DELAYED_STREAM, event), retry].map((name) =>
    typeof name === 'string' ? name : `${name.pk} ${name.sk}`,
  );
  expect(world.stage.unreadable.map(({ id }) => id).toSorted()).toEqual(names.toSorted());
  const [about] = world.stage.unreadable.filter(({ id }) => id === broken.id);
  expect(about?.reason).toMatch(/^state: /);
  expect(JSON.stringify(world.stage.unreadable)).not.toMatch(/another release|but secret/);
  const lost = [`timer-${broken.id}`, `${delivery.id}-4`, delayedEmitName(first.id, event)];
  const others = before.filter((name) => !lost.includes(name));
  expect([...(await world.stored()).keys()].toSorted()).toEqual([...others, retry].toSorted());
});

test('an error of the table is no item that cannot be read', async () => {
  const world = await reconcileWorld();
  await everyKind(world);
  const find = () => Promise.reject(new Error('The table is away'));
  await expect(world.reconcile({ sources: { ...world.services.sources, find } })).rejects.toThrow('away');
});
