import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventBodies } from '../../../shared/aws/event-bodies.ts';
import { MAX_DELAYED_EMITS } from '../../../shared/domain/limits.ts';
import type { EmitTrigger, Trigger } from '../../../shared/domain/run/message.ts';
import type { Source } from '../../../shared/domain/source/source.ts';
import { countsKey, delayedCountKey } from '../../../shared/store/table/keys.ts';
import { delayedEmitStore } from '../../../shared/store/events/delayed-emit-items.ts';
import { batchGet } from '../../../shared/store/table/table-client.ts';
import { emits, ended } from '../../support/world/script.ts';
import { type World, openWorld } from '../../support/world/world.ts';

const HOUR = 3_600_000;
let stage: World;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

/** A run that emits events for later, each with its number. */
async function runEmitting(source: Source, count: number, text = ''): Promise<void> {
  const deliveryTs = stage.clock.now() + HOUR;
  stage.control.script = () => [
    ...Array.from({ length: count }, (_, n) => emits(JSON.stringify({ n, text }), { name: 'due', deliveryTs })),
    ended(),
  ];
  const { completed, error } = await stage.execute(stage.received([stage.trigger(source)]));
  expect({ completed, error }).toEqual({ completed: 1, error: undefined });
}

const refs = (source: Source, stream: string) => stage.services.events.refs(source.id, stream);
const errorsOf = async (source: Source): Promise<{ code: string; message: string }[]> => {
  const latest = await stage.services.events.latest(source.id, '$errors');
  return latest.map(({ json }) => (JSON.parse(json) as { error: { code: string; message: string } }).error);
};
/** The counters of the source and of its user. */
async function counted(source: Source): Promise<{ source: unknown; user: unknown }> {
  const keys = [delayedCountKey(source.id), countsKey(stage.ownerId)];
  const items = await batchGet(stage.table, keys);
  const item = (pk: string) => items.find((each) => each['pk'] === pk);
  return {
    source: item(keys[0]?.pk ?? '')?.['n'] ?? 0,
    user: item(keys[1]?.pk ?? '')?.['delayedEmits'] ?? 0,
  };
}
const fill = (key: { pk: string; sk: string }, name: string, count: number) =>
  stage.table.dynamo.send(
    new UpdateCommand({
      TableName: stage.table.tableName,
      Key: key,
      UpdateExpression: 'SET #n = :n',
      ExpressionAttributeNames: { '#n': name },
      ExpressionAttributeValues: { ':n': count },
    }),
  );

test('a source has at most 10,000 delayed emits; one $errors event tells the limit and the number of dropped ones', async () => {
  const source = await stage.source();
  await fill(delayedCountKey(source.id), 'n', MAX_DELAYED_EMITS.source - 2);
  await runEmitting(source, 5);
  expect(await refs(source, '$in')).toHaveLength(2);
  expect(stage.schedules.size).toBe(2);
  expect(await errorsOf(source)).toEqual([
    expect.objectContaining({
      code: 'too_many_emits',
      message: expect.stringContaining('at most 10000 emits'),
    }),
  ]);
  expect((await errorsOf(source))[0]?.message).toContain('Dropped emits of this run: 3');
  await runEmitting(source, 1);
  expect(stage.schedules.size).toBe(2);
  expect(await errorsOf(source)).toHaveLength(2);
});

test('the sources of a user together have at most 100,000', async () => {
  const [one, two] = [await stage.source(), await stage.source()];
  await fill(countsKey(stage.ownerId), 'delayedEmits', MAX_DELAYED_EMITS.user - 1);
  await runEmitting(one, 1);
  await runEmitting(two, 1, 'x'.repeat(300_000));
  expect(stage.schedules.size).toBe(1);
  expect((await errorsOf(two))[0]?.message).toContain('A user may have at most 100000 emits');
  // Nothing is left of a refused one.
  expect([...stage.objects.keys()]).toEqual([]);
});

test('a schedule holds no event, however large the event is', async () => {
  const source = await stage.source();
  await runEmitting(source, 1, 'x'.repeat(100_000));
  await runEmitting(source, 1, 'x'.repeat(300_000));
  for (const { input } of stage.schedules.values()) expect(input.length).toBeLessThan(1_000);
  stage.deliveries.length = 0;
  for (const { input } of [...stage.schedules.values()])
    await stage.execute(stage.received([JSON.parse(input) as EmitTrigger]));
  expect(stage.deliveries.map(({ stream }) => stream)).toEqual(['due', 'due']);
  const [newest] = await stage.services.events.latest(source.id, 'due');
  if (!newest) throw new Error('There is no event');
  expect((await stage.services.events.whole(source.id, newest)).length).toBeGreaterThan(300_000);
  // Emitted ones no longer count, and their bodies are gone.
  expect(await counted(source)).toEqual({ source: 0, user: 0 });
  expect([...stage.objects.keys()].filter((key) => key.includes(Buffer.from('$in').toString('base64url')))).toEqual([]);
});

test('a commit that is repeated counts its delayed emits once, and refuses none of them', async () => {
  const source = await stage.source();
  await fill(delayedCountKey(source.id), 'n', MAX_DELAYED_EMITS.source - 3);
  stage.control.script = () => [
    ...[1, 2, 3].map((n) => emits(`{"n":${n}}`, { deliveryTs: stage.clock.now() + HOUR })),
    emits('{"now":1}'),
    ended(),
  ];
  const received = stage.received([stage.trigger(source)]);
  const dies = { ...stage.services, sendDeliveries: () => Promise.reject(new Error('died')) };
  expect((await stage.execute(received, { with: dies })).completed).toBe(0);
  expect((await stage.execute(received)).completed).toBe(1);
  expect(await counted(source)).toEqual({ source: MAX_DELAYED_EMITS.source, user: 3 });
  expect(stage.schedules.size).toBe(3);
  expect(await errorsOf(source)).toEqual([]);
});

test('a run that schedules emits takes one transaction for 25 of them, and so does their removal', async () => {
  const source = await stage.source();
  const { dynamo } = stage.table;
  const send = vi.spyOn(dynamo, 'send');
  const transactions = () => send.mock.calls.filter(([command]) => command instanceof TransactWriteCommand).length;
  await runEmitting(source, 1_000);
  expect(stage.schedules.size).toBe(1_000);
  expect(transactions()).toBe(40);
  expect(await counted(source)).toEqual({ source: 1_000, user: 1_000 });
  await stage.sources.tombstone(source.id);
  send.mockClear();
  await stage.execute(stage.received([inTheSourcesQueue(source, { kind: 'purge', id: 'purge' })]));
  expect(stage.schedules.size).toBe(0);
  expect(transactions()).toBeLessThanOrEqual(41);
  expect(await counted(source)).toEqual({ source: 0, user: 0 });
});

test('emits beside one that is emitted meanwhile are removed, each counted once', async () => {
  const source = await stage.source();
  await runEmitting(source, 30);
  const [first] = await refs(source, '$in');
  const waiting = delayedEmitStore(stage.table, createEventBodies(stage.services.bucket as never));
  const owned = { emitterId: source.id, ownerId: stage.ownerId };
  const all = await refs(source, '$in');
  await waiting.complete(owned, first?.id ?? expect.fail('none waits'));
  await waiting.remove(owned, all.slice(0, 25));
  expect(await counted(source)).toEqual({ source: 5, user: 5 });
});

const inTheSourcesQueue = (source: Source, trigger: object): Trigger => ({
  ...({ emitterId: source.id, ownerId: stage.ownerId, at: stage.clock.now() } as Trigger),
  ...trigger,
});

test.for([
  [
    'events',
    async (source: Source) => {
      const [newest] = await refs(source, '$in');
      return { kind: 'delete-events', id: 'delete-1', ranges: [{ stream: '$in', to: newest?.id }] };
    },
  ],
  [
    'the source',
    async (source: Source) => {
      await stage.sources.tombstone(source.id);
      return { kind: 'purge', id: `purge-${source.id}` };
    },
  ],
] as const)('deleting %s removes schedules, bodies and counts of its delayed emits', async ([, deletion]) => {
  const source = await stage.source();
  for (const length of [10, 10_000, 300_000]) await runEmitting(source, 3, 'x'.repeat(length));
  expect(await counted(source)).toEqual({ source: 9, user: 9 });
  expect(stage.schedules.size).toBe(9);
  const waiting = [...stage.schedules.values()].map(({ input }) => JSON.parse(input) as EmitTrigger);
  const { error } = await stage.execute(stage.received([inTheSourcesQueue(source, await deletion(source))]));
  expect(error).toBeUndefined();
  expect(stage.schedules.size).toBe(0);
  expect([...stage.objects.keys()]).toEqual([]);
  expect(await counted(source)).toEqual({ source: 0, user: 0 });
  // A schedule that fired just before is void.
  stage.deliveries.length = 0;
  await stage.execute(stage.received(waiting.slice(0, 1)));
  expect(stage.deliveries).toEqual([]);
});
