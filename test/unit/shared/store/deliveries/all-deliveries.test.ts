import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createdAtOf, type Delivery, deliveryIdOf } from '../../../../../shared/domain/delivery/delivery.ts';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import { SourceId, UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import { encodeCursor } from '../../../../../shared/store/table/cursor.ts';
import { LONGEST_HELD_MS } from '../../../../../shared/store/deliveries/delivery-item.ts';
import { deliveryStore } from '../../../../../shared/store/deliveries/deliveries.ts';
import { type LoggedSuccess, toLogItems } from '../../../../../shared/store/deliveries/delivery-log-item.ts';
import { WHOLE_RANGE } from '../../../../../shared/store/deliveries/delivery-order.ts';
import { allDeliveries } from '../../../../../shared/store/deliveries/all-deliveries.ts';
import { deliveryLog } from '../../../../../shared/store/deliveries/delivery-log.ts';
import { seededRandom } from '../../../../support/seeded-random.ts';
import { spoil } from '../../../../support/spoil.ts';
import { type OpenEngine, openEngine, shortCircuitedClient, TABLE } from '../../../contract/dynamodb/targets.ts';

const START = Date.UTC(2031, 2, 1);
const ownerId = UserId.parse('u_owner');
const emitters = ['dc_one', 'dc_two', 'dc_three'].map((id) => SourceId.parse(id));
const streams = ['default', '$errors', 'ünï'];

let engine: OpenEngine;
let written = 0;
const now = START;
let stores: ReturnType<typeof openStores>;
function openStores() {
  const table = { dynamo: shortCircuitedClient(engine.service), tableName: TABLE };
  const deliveries = deliveryStore(table, () => now);
  const log = deliveryLog(table);
  return { deliveries, log, list: allDeliveries({ deliveries, log }) };
}
beforeAll(async () => {
  engine = await openEngine({ onConsumed: (_table, _operation, { write }) => void (written += write ?? 0) });
  stores = openStores();
});
afterAll(() => engine.close());

let n = 0;
const successAt = (webhookId: WebhookId, ms: number, pick = n): LoggedSuccess => ({
  webhookId,
  ownerId,
  emitterId: emitters[pick % 3] ?? expect.fail(),
  stream: streams[pick % 3] ?? expect.fail(),
  eventId: eventId({ ms, sequence: (n += 1) }),
  emitId: `emit-${String(n).padStart(17, '0')}`,
  at: ms + 40,
  status: 200 + (n % 5),
  ms: 3,
});

const deliveryOf = (success: LoggedSuccess): Delivery => ({
  id: deliveryIdOf(success, success.webhookId),
  listenerId: success.webhookId,
  ownerId,
  emitterId: success.emitterId,
  stream: success.stream,
  eventId: success.eventId,
  emitId: success.emitId,
  status: 'delivered',
  attemptCount: 1,
  lastAttempt: { at: success.at, outcome: 'delivered', status: success.status, ms: success.ms },
});

const store = (successes: readonly LoggedSuccess[]) => stores.log.store(successes, now);
async function unitsOf(work: () => Promise<unknown>): Promise<number> {
  const before = written;
  await work();
  return written - before;
}

describe('the log of successes', () => {
  test('costs one write unit per webhook and full batch, and comes back as it was', async () => {
    const hooks = ['wh_full1', 'wh_full2'].map((id) => WebhookId.parse(id));
    const batch = hooks.flatMap((hook) =>
      Array.from({ length: 10 }, (_, index) => successAt(hook, START + index * 100, 0)),
    );
    expect(await unitsOf(() => store(batch))).toBe(2);
    for (const [index, webhookId] of hooks.entries()) {
      const { items } = await stores.list.page({ webhookId, request: { limit: 100 }, filter: {} });
      expect(items).toEqual(
        batch
          .slice(index * 10, index * 10 + 10)
          .map(deliveryOf)
          .reverse(),
      );
    }
  });

  test('costs one write unit for a batch of one, and for ten events of three emitters', async () => {
    const hook = WebhookId.parse('wh_ones');
    expect(await unitsOf(() => store([successAt(hook, START)]))).toBe(1);
    const mixed = Array.from({ length: 10 }, () => successAt(hook, START + 1_000));
    expect(await unitsOf(() => store(mixed))).toBe(1);
  });

  test('is listed with the oldest delivery first on request, and the cursors go the other way', async () => {
    const webhookId = WebhookId.parse('wh_oldest1');
    const all = Array.from({ length: 25 }, (_, index) => successAt(webhookId, START + index * 700)).map(
      (success) => [success, deliveryOf(success)] as const,
    );
    for (let at = 0; at < 25; at += 5) await store(all.slice(at, at + 5).map(([success]) => success));
    const ids = all.map(([, { id }]) => id);
    const pageOf = async (request: { after?: string; before?: string }) => {
      const cursors = Object.entries(request).map(([name, id]) => [
        name,
        encodeCursor({ list: 'deliveries', ownerId: webhookId }, id),
      ]);
      const { items, totalCount } = await stores.list.page({
        webhookId,
        request: { limit: 10, ...Object.fromEntries(cursors) },
        filter: {},
        isOldestFirst: true,
      });
      expect(totalCount).toBe(25);
      return items.map(({ id }) => id);
    };
    expect(await pageOf({})).toEqual(ids.slice(0, 10));
    expect(await pageOf({ after: ids[9] ?? '' })).toEqual(ids.slice(10, 20));
    expect(await pageOf({ before: ids[20] ?? '' })).toEqual(ids.slice(10, 20));
  });

  test('shows a delivery once that was logged twice, in batches of another composition', async () => {
    const webhookId = WebhookId.parse('wh_twice');
    const [a, b, c] = [successAt(webhookId, START), successAt(webhookId, START + 1), successAt(webhookId, START + 2)];
    await store([a, b, c]);
    await store([b, c]);
    await store([c]);
    await store([a]);
    const { items, totalCount } = await stores.list.page({ webhookId, request: { limit: 10 }, filter: {} });
    expect([items, totalCount]).toEqual([[c, b, a].map(deliveryOf), 3]);
  });

  test('is read from its newest item on, as far as the reader goes', async () => {
    const webhookId = WebhookId.parse('wh_newest');
    const all = Array.from({ length: 200 }, (_, index) => successAt(webhookId, START + index * 700));
    for (let at = 0; at < 200; at += 5) await store(all.slice(at, at + 5));
    const table = { dynamo: shortCircuitedClient(engine.service), tableName: TABLE };
    const oldest = all.slice(0, 5);
    const [item] = toLogItems(oldest, now);
    await spoil(table, { pk: String(item?.['pk']), sk: String(item?.['sk']) }, { j: '[]' });
    const unreadable: string[] = [];
    const log = deliveryLog({ ...table, onUnreadable: ({ id }) => void unreadable.push(id) });
    const read: Delivery[] = [];
    for await (const delivery of log.read(webhookId, WHOLE_RANGE)) if (read.push(delivery) === 150) break;
    expect(read).toEqual(all.slice(50).reverse().map(deliveryOf));
    expect(unreadable).toEqual([]);
    for await (const delivery of log.read(webhookId, WHOLE_RANGE)) read.push(delivery);
    expect(unreadable).toHaveLength(1);
  });

  test('is read upwards in order, though items of a later page reach back beyond the last one', async () => {
    const webhookId = WebhookId.parse('wh_upwards');
    const all: LoggedSuccess[] = [];
    for (let index = 0; index < 150; index += 1) {
      const ms = START + index * 100;
      const pair = [successAt(webhookId, ms - 4_000), successAt(webhookId, ms)];
      await store(pair);
      all.push(...pair);
    }
    const read: Delivery[] = [];
    for await (const delivery of stores.log.read(webhookId, { ...WHOLE_RANGE, isUpwards: true })) read.push(delivery);
    expect(read.map(({ id }) => id)).toEqual(all.map((success) => deliveryIdOf(success, webhookId)).sort());
  });

  test('finds one delivery, and the newest success by its time', async () => {
    const webhookId = WebhookId.parse('wh_find');
    const all = Array.from({ length: 50 }, (_, index) => successAt(webhookId, START + index * 700));
    for (let at = 0; at < 50; at += 10) await store(all.slice(at, at + 10));
    for (const success of all)
      expect(await stores.list.find(webhookId, deliveryIdOf(success, webhookId))).toEqual(deliveryOf(success));
    expect(await stores.list.find(webhookId, deliveryIdOf(successAt(webhookId, START), webhookId))).toBeUndefined();
    expect((await stores.log.newestSuccess(webhookId))?.at).toBe(all.at(-1)?.at);
  });
});

/** A log of overlapping batches, and items between; the model is a sorted array. */
describe.each([1, 2, 3])('a list (seed %i)', (seed) => {
  const webhookId = WebhookId.parse(`wh_model${seed}`);
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let model: Delivery[];

  beforeAll(async () => {
    const found = new Map<string, Delivery>();
    const successes: LoggedSuccess[] = [];
    for (let index = 0; index < 300; index += 1) successes.push(successAt(webhookId, START + below(60_000), below(3)));
    for (const success of successes) found.set(deliveryIdOf(success, webhookId), deliveryOf(success));
    while (successes.length > 0) {
      const batch = successes.splice(0, 1 + below(12));
      await store(batch);
      if (random() < 0.2) await store(batch.slice(below(batch.length)));
    }
    const statuses = ['pending', 'retrying', 'failed', 'held', 'discarded', 'delivered'] as const;
    for (let index = 0; index < 80; index += 1) {
      const success = successAt(webhookId, START + below(60_000), below(3));
      const status = statuses[below(statuses.length)] ?? 'failed';
      const delivery = { ...deliveryOf(success), status, attemptCount: 4, scheduleStep: 2, messageNumber: 3 };
      // Some have a place in the log too: their items win.
      if (random() < 0.3) await store([success]);
      await stores.deliveries.create(delivery, {});
      found.set(delivery.id, delivery);
    }
    model = [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  });

  const shown = ({ id, status, attemptCount }: Delivery) => ({ id, status, attemptCount });
  const cursorOf = (delivery: Delivery | undefined) =>
    delivery && encodeCursor({ list: 'deliveries', ownerId: webhookId }, delivery.id);

  test('is the same walked down, walked up, and read at any cursor', async () => {
    for (const limit of [17, 100]) {
      const down: Delivery[] = [];
      for (let after: string | undefined; ;) {
        const { items, totalCount } = await stores.list.page({
          webhookId,
          request: { limit, after },
          filter: {},
        });
        expect(totalCount).toBe(model.length);
        if (items.length === 0) break;
        down.push(...items);
        after = cursorOf(items.at(-1));
      }
      expect(down.map(shown)).toEqual(model.map(shown));
    }
    for (let at = 0; at < model.length; at += 37) {
      const request = { limit: 5, before: cursorOf(model[at]) };
      const { items } = await stores.list.page({ webhookId, request, filter: {} });
      expect(items.map(shown)).toEqual(model.slice(Math.max(at - 5, 0), at).map(shown));
    }
  });

  test('filters before it pages and counts', async () => {
    const filters = [
      { status: 'delivered' as const },
      { status: 'retrying' as const },
      { status: 'discarded' as const, since: START + 20_000 },
      { outcome: 'delivered' as const },
      { outcome: 'rejected' as const },
      { emitterId: emitters[1] },
      { stream: '$errors' },
      { eventId: model[40]?.eventId },
      { since: START + 20_000, until: START + 30_000 },
      { since: START + 20_000, emitterId: emitters[2], status: 'delivered' as const },
    ];
    for (const filter of filters) {
      const matching = model.filter(
        (delivery) =>
          (filter.status === undefined || delivery.status === filter.status) &&
          (filter.outcome === undefined || delivery.lastAttempt?.outcome === filter.outcome) &&
          (filter.emitterId === undefined || delivery.emitterId === filter.emitterId) &&
          (filter.stream === undefined || delivery.stream === filter.stream) &&
          (filter.eventId === undefined || delivery.eventId === filter.eventId) &&
          (filter.since === undefined || createdAtOf(delivery) >= filter.since) &&
          (filter.until === undefined || createdAtOf(delivery) < filter.until),
      );
      const first = await stores.list.page({ webhookId, request: { limit: 10 }, filter });
      expect([first.items.map(shown), first.totalCount], JSON.stringify(filter)).toEqual([
        matching.slice(0, 10).map(shown),
        matching.length,
      ]);
      const after = cursorOf(model[100]);
      const below = await stores.list.page({ webhookId, request: { limit: 10, after }, filter });
      const rest = matching.filter(({ id }) => id < (model[100]?.id ?? ''));
      expect(below.items.map(shown)).toEqual(rest.slice(0, 10).map(shown));
    }
  });
});

test('a delivery that was held for too long is listed as discarded, and no longer as held', async () => {
  const webhookId = WebhookId.parse('wh_held');
  for (const ms of [START - LONGEST_HELD_MS - 1, START - LONGEST_HELD_MS]) {
    const delivery = { ...deliveryOf(successAt(webhookId, ms)), status: 'held' as const };
    await stores.deliveries.create({ ...delivery, scheduleStep: 0, messageNumber: 0 }, {});
  }
  const counts = [];
  for (const status of ['held', 'discarded'] as const)
    counts.push((await stores.list.page({ webhookId, request: { limit: 5 }, filter: { status } })).totalCount);
  expect(counts).toEqual([1, 1]);
});

test('at most 1,000 are counted', async () => {
  const webhookId = WebhookId.parse('wh_many');
  for (let at = 0; at < 1_100; at += 20)
    await store(Array.from({ length: 20 }, (_, index) => successAt(webhookId, START + at * 10 + index)));
  const { items, totalCount } = await stores.list.page({ webhookId, request: { limit: 100 }, filter: {} });
  expect([items.length, totalCount]).toEqual([100, 1_000]);
});
