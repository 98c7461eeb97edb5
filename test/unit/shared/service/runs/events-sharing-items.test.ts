import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { streamPartition } from '../../../../../shared/store/table/keys.ts';
import { spoil } from '../../../../support/spoil.ts';
import { emits, ended } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

/** docs/data-model.md, "Items of events": what a run that is repeated, dies or meets a deletion leaves. */

let stage: World;
let source: Source;
beforeEach(async () => {
  stage = await openWorld();
  source = await stage.source();
  stage.control.script = (job) => [emits(job.kind === 'run' ? job.event : '{}'), ended()];
});
afterEach(() => stage.close());

const batch = (from: number, to: number) =>
  stage.received(Array.from({ length: to - from + 1 }, (_, index) => stage.trigger(source, { n: from + index })));
const items = async () => {
  const { Items = [] } = await stage.table.dynamo.send(
    new QueryCommand({
      TableName: stage.table.tableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': streamPartition(source.id, 'default') },
    }),
  );
  return Items;
};
const latest = () => stage.services.events.latest(source.id, 'default');
const shown = async () => (await latest()).map(({ json }) => (JSON.parse(json) as { n: number }).n);
const downFrom = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n);
const died = () => Promise.reject(new Error('died'));

test('the events of a batch share an item, and a repeated run writes the same one', async () => {
  const received = batch(1, 10);
  const unsaved = { ...stage.services, emitters: { ...stage.services.emitters, save: died } };
  expect((await stage.execute(received, { with: unsaved })).completed).toBe(0);
  const first = await latest();
  expect(await items()).toHaveLength(1);
  expect((await stage.execute(received)).completed).toBe(10);
  expect(await items()).toHaveLength(1);
  expect(await latest()).toEqual(first);
  expect(await shown()).toEqual(downFrom(10, 1));
});

test('a process that dies between its writes leaves no event twice, however the queue divides the repetition', async () => {
  const { events } = stage.services;
  for (const [round, isStored] of [true, false].entries()) {
    const from = round * 12 + 1;
    const received = batch(from, from + 11);
    const dying = {
      ...stage.services,
      events: {
        ...events,
        store: async (...parameters: Parameters<typeof events.store>) => {
          if (isStored) await events.store(...parameters);
          return died();
        },
      },
    };
    await stage.execute(received.slice(0, 10), { with: dying });
    stage.clock.advance(59_000);
    await stage.execute(received.slice(0, 4));
    await stage.execute(received.slice(4));
    expect(await shown()).toEqual(downFrom(from + 11, 1));
    for (const { id, json } of await latest()) expect((await events.find(source.id, 'default', id))?.json).toBe(json);
  }
  expect(new Set(stage.deliveries.map(({ emitId }) => emitId)).size).toBe(24);
});

test('an event that left the last 100 never comes back, also when younger ones of the same items are deleted', async () => {
  for (let from = 1; from <= 111; from += 10) await stage.execute(batch(from, from + 9));
  expect(await shown()).toEqual(downFrom(120, 21));
  const [newest] = await latest();
  const from = (await latest())[4]?.id ?? eventId({ ms: 0, sequence: 0 });
  await stage.execute(
    stage.received([
      {
        kind: 'delete-events',
        id: 'delete-1',
        emitterId: source.id,
        ownerId: stage.ownerId,
        at: stage.clock.now(),
        ranges: [{ stream: 'default', from, to: newest?.id ?? from }],
      },
    ]),
  );
  expect(await shown()).toEqual(downFrom(115, 21));
  await stage.execute(batch(121, 123));
  expect(await shown()).toEqual([123, 122, 121, ...downFrom(115, 21)]);
});

test('full batches use half a write unit for an event, with its trimming, the state, the records and the usage', async () => {
  for (let from = 1; from <= 201; from += 10) await stage.execute(batch(from, from + 9));
  stage.units.write = 0;
  for (let from = 211; from <= 501; from += 10) await stage.execute(batch(from, from + 9));
  expect(stage.units.write / 300).toBeLessThanOrEqual(0.51);
  expect(await shown()).toEqual(downFrom(510, 411));
});

test('an item that cannot be read is named and stays; its stream is listed, trimmed and deleted without it', async () => {
  await stage.execute(batch(1, 10));
  const [broken] = await items();
  const { pk, sk } = { pk: String(broken?.['pk']), sk: String(broken?.['sk']) };
  await spoil(stage.table, { pk, sk }, { j: 7 });
  for (let from = 11; from < 200; from += 10) await stage.execute(batch(from, from + 9));
  expect(await shown()).toEqual(downFrom(200, 101));
  expect(stage.unreadable[0]).toMatchObject({ id: `${pk} ${sk}` });
  await stage.services.events.remove(source.id, 'default', () => true);
  expect(await shown()).toEqual([]);
  expect((await items()).map((item) => item['sk'])).toEqual([sk]);
});
