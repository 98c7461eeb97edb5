import { setImmediate } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { eventId } from '../../../../shared/domain/event/event-id.ts';
import { eventPage } from '../../../../shared/domain/event/event-page.ts';
import { KEPT_EVENTS, leaving, SLACK } from '../../../../shared/domain/event/trimming.ts';
import { SourceId } from '../../../../shared/domain/id.ts';
import { BEGINNING } from '../../../../shared/domain/live/resume.ts';
import type { NewEvent } from '../../../../shared/store/events/event-item.ts';
import { type EventStore, eventStore } from '../../../../shared/store/events/events.ts';
import { streamPartition } from '../../../../shared/store/table/keys.ts';
import { newestEvents } from '../../../../shared/store/events/newest-events.ts';
import { type EventTable, openEventTable } from '../../../support/event-table.ts';
import { spoil } from '../../../support/spoil.ts';

/** docs/data-model.md: events of one batch share an item, and no reader sees which. */

const emitterId = SourceId.parse('dc_mine');
const START = 1_795_800_000_000;

let opened: EventTable;
let writeUnits = 0;
let objects = new Map<string, string>();
/** Writes an item for each event, as earlier releases. */
let single: EventStore;
let shared: EventStore;
beforeEach(async () => {
  [writeUnits, objects] = [0, new Map()];
  opened = await openEventTable({
    clock: new FakeClock(),
    onConsumed: (_table, _operation, { write }) => void (writeUnits += write),
  });
  const bodies = {
    put: async (event: { id: string }, json: string | Buffer) => void objects.set(event.id, String(json)),
    get: async ({ id }: { id: string }) => objects.get(id),
    delete: async ({ id }: { id: string }) => void objects.delete(id),
  };
  single = eventStore(opened.table, bodies, { eventsPerItem: 1 });
  shared = eventStore(opened.table, bodies, { eventsPerItem: 20 });
});
afterEach(() => opened.close());

const idOf = (n: number, ms = START) => eventId({ ms, sequence: n });
const event = (n: number, { text = '', ms = START, indexedAt = START } = {}): NewEvent => ({
  stream: 'default',
  id: idOf(n, ms),
  emitId: `emit-${n}`,
  json: JSON.stringify({ n, text }),
  indexedAt,
  ownId: `own ${n}`,
  summary: `summary ${n}`,
  ts: n,
  triggerId: `t-${n}`,
  trace: { id: '0af7651916cd43dd8448eb211c80319c', flags: '01', state: 'a=b' },
});
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const put = (store: EventStore, from: number, to: number, options = {}) =>
  store.store(
    emitterId,
    numbers(from, to).map((n) => event(n, options)),
    [],
  );
const numberOf = ({ json }: { json: string }) => (JSON.parse(json) as { n: number }).n;
const latest = async () => (await shared.latest(emitterId, 'default')).map(numberOf);
const downFrom = (from: number, to: number) => numbers(to, from).reverse();
const readNewest = (from = BEGINNING) => newestEvents(opened.table)(emitterId, 'default', from);
const items = async () => {
  const { Items = [] } = await opened.table.dynamo.send(
    new QueryCommand({
      TableName: opened.table.tableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': streamPartition(emitterId, 'default') },
    }),
  );
  return Items;
};

describe('events of one batch and stream', () => {
  test('share an item, which is read as they were written', async () => {
    await put(shared, 1, 10);
    expect(await items()).toHaveLength(1);
    const read = await shared.latest(emitterId, 'default');
    await put(single, 1, 10);
    expect(read).toEqual(await single.latest(emitterId, 'default'));
    expect(read.at(-1)).toMatchObject({
      ...event(1),
      truncated: false,
      bytes: 200 + JSON.stringify({ n: 1, text: '' }).length,
    });
  });

  test('of the newest 100 are read without the items of older ones', async () => {
    await put(shared, 1, 300);
    const [oldest] = await items();
    await spoil(opened.table, { pk: String(oldest?.['pk']), sk: String(oldest?.['sk']) }, { p: 'none' });
    const unreadable: string[] = [];
    const table = { ...opened.table, onUnreadable: ({ id }: { id: string }) => void unreadable.push(id) };
    const store = eventStore(
      table,
      { put: async () => undefined, get: async () => undefined, delete: async () => undefined },
      { eventsPerItem: 20 },
    );
    expect((await store.latest(emitterId, 'default')).map(numberOf)).toEqual(downFrom(300, 201));
    expect(unreadable).toEqual([]);
  });

  test('cost one write unit for ten small ones, and one to remove them', async () => {
    await put(shared, 1, 10);
    expect(writeUnits).toBe(1);
    await shared.store(emitterId, [], await shared.items(emitterId, 'default'));
    expect(writeUnits).toBe(2);
    expect(await items()).toEqual([]);
  });

  test('are at most 20 of one second', async () => {
    await put(shared, 1, 41);
    expect(await items()).toHaveLength(3);
    await put(shared, 42, 42, { ms: START + 900 });
    await shared.store(emitterId, [event(1, { ms: START + 10_000 }), event(2, { ms: START + 11_001 })], []);
    expect(await items()).toHaveLength(6);
  });

  test('of other streams have items of their own', async () => {
    await shared.store(emitterId, [event(1), { ...event(2), stream: 'b' }, event(3)], []);
    expect(await latest()).toEqual([3, 1]);
    expect((await shared.latest(emitterId, 'b')).map(numberOf)).toEqual([2]);
  });

  test('have bodies of their own, which go with their item', async () => {
    const sizes = [10, 5_000, 300_000, 20];
    const large = sizes.map((size, n) => event(n, { text: 'x'.repeat(size) }));
    await shared.store(emitterId, large, []);
    expect(await items()).toHaveLength(1);
    const read = (await shared.latest(emitterId, 'default')).reverse();
    expect(read.map(({ truncated }) => truncated)).toEqual([false, true, true, false]);
    for (const [n, one] of read.entries()) expect(await shared.whole(emitterId, one)).toBe(large[n]?.json);
    await shared.store(emitterId, [], await shared.items(emitterId, 'default'));
    expect(objects.size).toBe(0);
    for (const one of read) if (one.truncated) expect(await shared.whole(emitterId, one)).toBe(one.json);
  });
});

describe('the last 100 events of a stream', () => {
  test('are the last 100 and no more, with items of both kinds', async () => {
    await put(single, 1, 55);
    await put(shared, 56, 90);
    await put(single, 91, 93);
    await put(shared, 94, 137);
    expect(await latest()).toEqual(downFrom(137, 38));
    expect(await single.latest(emitterId, 'default')).toEqual(await shared.latest(emitterId, 'default'));
  });

  test('are found when many items of one event are newer than shared ones', async () => {
    await put(shared, 1, 60);
    await put(single, 61, 150);
    expect(await latest()).toEqual(downFrom(150, 51));
  });

  test('have pages that begin and end within an item, in the same order in both directions', async () => {
    await put(shared, 1, 100);
    const stored = await shared.latest(emitterId, 'default');
    const down: number[] = [];
    let page = eventPage(stored, { limit: 7 });
    for (; page.length > 0; page = eventPage(stored, { limit: 7, after: page.at(-1)?.id }))
      down.push(...page.map(numberOf));
    const up: number[] = [];
    for (let before = BEGINNING; ; before = page[0]?.id ?? before) {
      page = eventPage(stored, { limit: 7, before });
      if (page.length === 0) break;
      up.unshift(...page.map(numberOf));
    }
    expect(down).toEqual(downFrom(100, 1));
    expect(up).toEqual(down);
  });

  test('stay the same while an item reaches over the border, and the item goes after its last one', async () => {
    await put(shared, 1, 20);
    await put(shared, 21, 100);
    let most = 0;
    for (let n = 101; n <= 240; n += 10) {
      const adding = numbers(n, n + 9).map((each) => event(each));
      const stored = await shared.items(emitterId, 'default');
      const { gone, kept } = leaving(stored, new Set(adding.map(({ id }) => id)));
      await shared.store(emitterId, adding, gone);
      expect(await latest()).toEqual(downFrom(n + 9, n + 9 - 99));
      expect(await shared.refs(emitterId, 'default')).toHaveLength(kept);
      most = Math.max(most, kept);
    }
    expect(most).toBeLessThan(KEPT_EVENTS + 20);
  });

  test('are each read once, the later one, when a repeated run divided its events in another way', async () => {
    await put(shared, 1, 10);
    await put(shared, 1, 4, { text: 'again', indexedAt: START + 60_000 });
    await put(shared, 5, 12, { text: 'again', indexedAt: START + 60_000 });
    expect(await items()).toHaveLength(3);
    const read = await shared.latest(emitterId, 'default');
    expect(read.map(numberOf)).toEqual(downFrom(12, 1));
    expect(read.every(({ json }) => json.includes('again'))).toBe(true);
    for (const n of numbers(1, 12)) expect((await shared.find(emitterId, 'default', idOf(n)))?.json).toContain('again');
    const stored = await readNewest();
    expect(stored).toEqual(read);
    await shared.store(emitterId, [], await shared.items(emitterId, 'default'));
    expect(await items()).toEqual([]);
  });

  test('are in the order of their ids when a synchronous run stores one between those of an item', async () => {
    await shared.store(emitterId, [event(1), event(2), event(3, { ms: START + 500 })], []);
    await shared.store(emitterId, [event(2 ** 52, { ms: START + 200 })], []);
    expect(await latest()).toEqual([3, 2 ** 52, 2, 1]);
    expect((await shared.find(emitterId, 'default', idOf(1)))?.ownId).toBe('own 1');
    expect((await shared.find(emitterId, 'default', idOf(2 ** 52, START + 200)))?.ts).toBe(2 ** 52);
  });

  test('are read during trimming', async () => {
    await put(shared, 1, 140);
    let last = 140;
    const trim = async () => {
      for (let round = 0; round < 20; round += 1) {
        const adding = numbers(last + 1, last + 10).map((n) => event(n));
        const stored = await shared.items(emitterId, 'default');
        await shared.store(emitterId, adding, leaving(stored, new Set(adding.map(({ id }) => id))).gone);
        last += 10;
      }
    };
    const read = async () => {
      for (;;) {
        const seen = await latest();
        expect(seen).toHaveLength(100);
        expect(seen).toEqual(downFrom(seen[0] ?? 0, (seen[0] ?? 0) - 99));
        const from = (seen[0] ?? 0) - 10;
        const live = (await readNewest(idOf(from))).map(numberOf);
        // When many have come since the other read, the first ones are trimmed, or beyond what a read shows.
        const first = Math.max(from, (live[0] ?? 0) - KEPT_EVENTS - SLACK + 1);
        expect(live).toEqual(downFrom(live[0] ?? 0, live.at(-1) ?? 0));
        expect(live.at(-1)).toBeLessThanOrEqual(Math.max(from, (live[0] ?? 0) - KEPT_EVENTS + 1));
        expect(live.at(-1)).toBeGreaterThanOrEqual(first);
        if (seen[0] === 340) return;
        await setImmediate();
      }
    };
    await Promise.all([trim(), read()]);
  });
});

describe('one event', () => {
  test('is found by its id wherever it stands in its item, and others are not', async () => {
    await put(single, 1, 10);
    await put(shared, 11, 50);
    await put(shared, 51, 55, { ms: START + 1_000 });
    for (const n of numbers(1, 50)) expect((await shared.find(emitterId, 'default', idOf(n)))?.ownId).toBe(`own ${n}`);
    expect((await shared.find(emitterId, 'default', idOf(53, START + 1_000)))?.ownId).toBe('own 53');
    for (const id of [idOf(56), idOf(0), idOf(53), eventId({ ms: 999_999_999_999_999, sequence: 1 })])
      expect(await shared.find(emitterId, 'default', id)).toBeUndefined();
  });

  test('is read from its position on, however it stands in its item', async () => {
    await put(shared, 1, 40);
    expect((await readNewest(idOf(15))).map(numberOf)).toEqual(downFrom(40, 15));
  });
});

describe('removing events', () => {
  const remove = (isLeaving: (n: number, rank: number) => boolean) =>
    shared.remove(emitterId, 'default', ({ id }, rank) => isLeaving(Number(id.split('-')[1]), rank));

  test.each([
    ['the newest of an item', (n: number) => n > 16 && n <= 20],
    ['the oldest of an item', (n: number) => n > 20 && n < 25],
    ['those in the middle of items', (n: number) => n % 3 === 0],
    ['whole items', (n: number) => n <= 20],
    ['all but one', (n: number) => n !== 33],
    ['all', () => true],
  ])('removes %s and no other', async (_, isLeaving) => {
    await put(single, 1, 3);
    await put(shared, 4, 50);
    const stored = await shared.refs(emitterId, 'default');
    const leaving = stored.filter((_ref, rank) => isLeaving(50 - rank));
    expect(await remove(isLeaving)).toEqual({
      bytes: leaving.reduce((sum, ref) => sum + ref.bytes, 0),
      left: stored.length - leaving.length,
    });
    expect(await latest()).toEqual(downFrom(50, 1).filter((n) => !isLeaving(n)));
    await remove(() => false);
    expect(await latest()).toEqual(downFrom(50, 1).filter((n) => !isLeaving(n)));
  });

  test('keeps bodies of the events that stay', async () => {
    await shared.store(
      emitterId,
      numbers(1, 4).map((n) => event(n, { text: 'x'.repeat(n > 2 ? 300_000 : 3_000) })),
      [],
    );
    await remove((n) => n === 1 || n === 4);
    expect([...objects.keys()]).toEqual([idOf(3)]);
    const left = await shared.latest(emitterId, 'default');
    for (const one of left) expect((await shared.whole(emitterId, one)).length).toBeGreaterThan(3_000);
  });

  test('removes an event from each of its items, and keeps what two items have together', async () => {
    await put(shared, 1, 5);
    await put(shared, 3, 10);
    await remove((n) => n > 5);
    expect(await latest()).toEqual([5, 4, 3, 2, 1]);
    await remove((n) => n === 4);
    expect(await latest()).toEqual([5, 3, 2, 1]);
  });
});

test('an earlier release reads a shared item as its newest event', async () => {
  await put(shared, 1, 10);
  const [item] = await items();
  await put(single, 10, 10);
  const [alone] = (await items()).filter(({ o }) => o === undefined);
  expect(item).toMatchObject(alone ?? {});
});
