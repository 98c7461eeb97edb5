import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { MAX_EVENTS_PER_ITEM } from '../../../../../shared/domain/limits.ts';
import { EventId } from '../../../../../shared/domain/event/event-id.ts';
import { type EmitterId, SourceId, UserId, WorkflowId } from '../../../../../shared/domain/id.ts';
import { noticesIdOf } from '../../../../../shared/domain/notice/notices-emitter.ts';
import { LISTED } from '../../../../../shared/service/admission/look-up-rates.ts';
import { findEvents } from '../../../../../shared/service/sources/find-events.ts';
import { eventLookup } from '../../../../../shared/store/events/event-lookup.ts';
import { eventStore } from '../../../../../shared/store/events/events.ts';
import { sourceListKey, stateKey, workflowListKey } from '../../../../../shared/store/table/keys.ts';
import { type EventTable, openEventTable } from '../../../../support/event-table.ts';

const mine = UserId.parse('u_mine');
const other = UserId.parse('u_other');
const workflow = WorkflowId.parse('p_mine');
const sourceOf = (n: number) => SourceId.parse(`dc_${String(n).padStart(4, '0')}`);
const id = EventId.parse('1795798332005-1');
const noBodies = {
  put: () => Promise.resolve(),
  get: () => Promise.resolve(undefined),
  delete: () => Promise.resolve(),
};

let opened: EventTable;
let events: ReturnType<typeof eventStore>;
let reads: { operation: string; units: number }[] = [];
beforeEach(async () => {
  opened = await openEventTable({
    clock: new FakeClock(),
    onConsumed: (_table, operation, { read }) => void reads.push({ operation, units: read }),
  });
  events = eventStore(opened.table, noBodies, { eventsPerItem: MAX_EVENTS_PER_ITEM });
});
afterEach(() => opened.close());

const put = (item: object) =>
  opened.table.dynamo.send(new PutCommand({ TableName: opened.table.tableName, Item: item }));
const ownSource = (n: number, ownerId = mine) => put(sourceListKey(ownerId, sourceOf(n)));
const stored = (eventId: EventId, stream: string) => {
  const json = `{"stream":${JSON.stringify(stream)}}`;
  return { stream, id: eventId, emitId: 'e', json, indexedAt: 1 };
};
const emit = (emitterId: EmitterId, stream = 'default', eventId = id) =>
  events.store(emitterId, [stored(eventId, stream)], []);
let asked: number[] = [];
const find = async (ownerId = mine, maxStreams?: number) => {
  reads = [];
  asked = [];
  const lookup = eventLookup(opened.table, {
    events,
    ...(maxStreams === undefined ? {} : { maxStreams }),
  });
  const lookUps = { admit: (_: UserId, streams: number) => Promise.resolve(void asked.push(streams)) };
  const found = await findEvents({ eventLookup: lookup, lookUps, events }, ownerId, id);
  return found.map(({ emitterId, event }) => `${emitterId} ${event.stream} ${event.id}`);
};

test('an event is found by its id on every public stream of every emitter of its owner', async () => {
  await Promise.all([ownSource(1), ownSource(2), ownSource(3, other), put(workflowListKey(mine, workflow))]);
  await put({ ...stateKey(sourceOf(1)), st: { orders: 1, $in: 1 } });
  await put({ ...stateKey(sourceOf(2)), st: { $logs: 1 } });
  await put({ ...stateKey(workflow), st: { $errors: 1 } });
  await emit(sourceOf(1), 'orders');
  await emit(sourceOf(1), '$in');
  await emit(sourceOf(2), '$logs');
  await emit(sourceOf(3));
  await emit(workflow, '$errors');
  await emit(noticesIdOf(mine));
  expect(await find()).toEqual([
    `${noticesIdOf(mine)} default ${id}`,
    `dc_0002 $logs ${id}`,
    `dc_0001 orders ${id}`,
    `p_mine $errors ${id}`,
  ]);
  expect(await find(other)).toEqual([`dc_0003 default ${id}`]);
});

test('the streams of an emitter that has more of them than it counts are searched, too', async () => {
  await ownSource(1);
  const counted = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`stream ${n}`, 1]));
  await put({ ...stateKey(sourceOf(1)), st: counted });
  const streams = Array.from({ length: 40 }, (_, n) => ({ name: `stream ${n}`, events: 1, since: 0 }));
  await events.addStreams(sourceOf(1), streams);
  await emit(sourceOf(1), 'stream 33');
  expect(await find()).toEqual([`dc_0001 stream 33 ${id}`]);
  expect(await find(mine, 20)).toEqual([]);
});

test('an event that left the last 100 of its stream is not found, also while it is stored', async () => {
  await ownSource(1);
  await emit(sourceOf(1));
  const later = (count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => stored(EventId.parse(`1795798332005-${from + n + 2}`), 'default'));
  await events.store(sourceOf(1), later(99), []);
  expect(await find()).toHaveLength(1);
  await events.store(sourceOf(1), later(1, 99), []);
  expect(await find()).toEqual([]);
});

test('a search through 1,000 sources takes 1,022 requests and at most 2,000 read units', async () => {
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => ownSource(n)));
  await emit(sourceOf(777));
  expect(await find()).toEqual([`dc_0777 default ${id}`]);
  const requests = reads.length;
  expect(requests).toBeLessThanOrEqual(1_022);
  expect(reads.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(2_000);
  expect(asked).toEqual([LISTED, 1_001]);
});

test('a user whose look-ups are used up is refused before the table is read', async () => {
  await ownSource(1);
  const refused = new Error('used up');
  const lookUps = { admit: () => Promise.reject(refused) };
  reads = [];
  const attempt = findEvents({ eventLookup: eventLookup(opened.table, { events }), lookUps, events }, mine, id);
  await expect(attempt).rejects.toBe(refused);
  expect(reads).toEqual([]);
});
