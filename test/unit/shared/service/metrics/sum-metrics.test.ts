import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { SourceId } from '../../../../../shared/domain/id.ts';
import type { SummedGranularity } from '../../../../../shared/domain/metrics/adding-up.ts';
import { bucketName } from '../../../../../shared/domain/metrics/granularity.ts';
import type { Tally } from '../../../../../shared/domain/metrics/tally.ts';
import { createMetricCounts } from '../../../../../shared/service/metrics/metric-counts.ts';
import { readTallies } from '../../../../../shared/service/metrics/read-tallies.ts';
import { sumMetrics } from '../../../../../shared/service/metrics/metrics-job.ts';
import { metricKey } from '../../../../../shared/store/table/keys.ts';
import { type MetricStore, metricStore } from '../../../../../shared/store/users/metrics.ts';
import { type EventTable, openEventTable } from '../../../../support/event-table.ts';

const source = SourceId.parse('dc_1');
const at = (text: string) => Date.parse(`2031-03-${text}Z`);
const DAYS = { first: at('01T00:00:00'), last: at('31T00:00:00') };

let clock: FakeClock;
let opened: EventTable;
let metrics: MetricStore;
let units: { read: number; write: number };
beforeEach(async () => {
  clock = new FakeClock(at('10T00:00:00'));
  units = { read: 0, write: 0 };
  opened = await openEventTable({
    clock,
    onConsumed: (_table, _operation, { read = 0, write = 0 }) => {
      units.read += read;
      units.write += write;
    },
  });
  metrics = metricStore(opened.table);
});
afterEach(() => opened.close());

const now = () => clock.now();
const travelTo = (text: string) => clock.advance(at(text) - now());
const count = (text: string, events: number, more: Record<string, number> = {}) =>
  metrics.add(source, at(text), new Map(Object.entries({ e: events, ...more })));
const sum = (store: Pick<MetricStore, 'read' | 'putSum'> = metrics) => sumMetrics({ metrics: store, now }, source);
/** The counts that the table has, by hour or day. */
const shown = (tallies: ReadonlyMap<number, Tally>, granularity: SummedGranularity) =>
  Object.fromEntries(
    Array.from(tallies, ([start, tally]) => [bucketName(granularity, start).slice(8), Object.fromEntries(tally)]),
  );
async function stored(granularity: SummedGranularity) {
  const buckets = await metrics.read(source, { granularity, ...DAYS });
  return shown(new Map(Array.from(buckets, ([start, { tally }]) => [start, tally])), granularity);
}
const read = async (granularity: SummedGranularity, store: Pick<MetricStore, 'read'> = metrics) =>
  shown(await readTallies(store, source, { granularity, ...DAYS }, now()), granularity);
/** An item of an earlier release, which counted events in hours and days too. */
const addEarlier = (granularity: SummedGranularity, text: string, e: number) =>
  opened.table.dynamo.send(
    new UpdateCommand({
      TableName: opened.table.tableName,
      Key: { ...metricKey(source, granularity, bucketName(granularity, at(text))) },
      UpdateExpression: 'ADD e :e',
      ExpressionAttributeValues: { ':e': e },
    }),
  );

/** Events on three days, two of them on both sides of midnight. */
async function threeDays() {
  await count('10T22:10:00', 1, { l2: 4 });
  await count('10T23:59:00', 2, { l2: 1, l3: 1 });
  await count('11T00:00:00', 4);
  await count('11T13:07:00', 8);
  await count('11T13:08:00', 16);
  await count('12T01:59:00', 32);
}
const HOURS = {
  '10T22': { e: 1, l2: 4 },
  '10T23': { e: 2, l2: 1, l3: 1 },
  '11T00': { e: 4 },
  '11T13': { e: 24 },
};
const DAY_10 = { '10': { e: 3, l2: 5, l3: 1 } };
const DAY_11 = { '11': { e: 28 } };

describe('sums', () => {
  test('are stored of hours and days that ended half an hour ago, with latencies, and of no empty ones', async () => {
    await threeDays();
    travelTo('12T02:29:59');
    await sum();
    expect(await stored('hour')).toEqual(HOURS);
    expect(await stored('day')).toEqual({ ...DAY_10, ...DAY_11 });
    travelTo('12T02:30:00');
    await sum();
    expect(await stored('hour')).toEqual({ ...HOURS, '12T01': { e: 32 } });
    expect(await stored('day')).toEqual({ ...DAY_10, ...DAY_11 });
  });

  test('are the same after a repetition, one after the other or at the same time', async () => {
    await threeDays();
    travelTo('12T02:35:00');
    await Promise.all([sum(), sum()]);
    const [hours, days] = [await stored('hour'), await stored('day')];
    expect(hours).toMatchObject(HOURS);
    await sum();
    expect([await stored('hour'), await stored('day')]).toEqual([hours, days]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6])(
    'are complete after a crash behind %i stored sums and another call',
    async (done) => {
      await threeDays();
      travelTo('12T02:35:00');
      let left = done;
      const crashing: MetricStore = {
        ...metrics,
        async putSum(...args) {
          if (left === 0) throw new Error('crashed');
          left -= 1;
          await metrics.putSum(...args);
        },
      };
      await expect(sum(crashing)).rejects.toThrow('crashed');
      expect(await read('hour')).toEqual({ ...HOURS, '12T01': { e: 32 } });
      expect(await read('day')).toEqual({ ...DAY_10, ...DAY_11, '12': { e: 32 } });
      travelTo('12T03:35:00');
      await sum();
      expect(await stored('hour')).toEqual({ ...HOURS, '12T01': { e: 32 } });
      expect(await stored('day')).toEqual({ ...DAY_10, ...DAY_11 });
    },
  );

  test('of a source or webhook without events cost three read units and no write', async () => {
    travelTo('12T02:35:00');
    await sum();
    expect(units).toEqual({ read: 3, write: 0 });
  });

  test('of an hour with one event cost one write unit, and of its day another one', async () => {
    await count('10T22:10:00', 1);
    travelTo('10T23:35:00');
    units.write = 0;
    await sum();
    expect(units.write).toBe(1);
    travelTo('11T00:35:00');
    await sum();
    await sum();
    expect(units.write).toBe(2);
  });

  test('have counts that an idle instance wrote after its hour was added up', async () => {
    const counts = createMetricCounts({
      metrics,
      now,
      later: () => undefined,
      onLost: (error) => {
        throw error;
      },
    });
    await count('10T22:10:00', 1);
    travelTo('10T22:59:00');
    counts.count(source, new Map([['e', 2]]));
    travelTo('11T00:35:00');
    await sum();
    await counts.settle();
    expect(await read('day')).toEqual({ '10': { e: 1 }, '11': { e: 2 } });
    travelTo('12T00:35:00');
    await sum();
    expect(await stored('day')).toEqual({ '10': { e: 1 }, '11': { e: 2 } });
  });

  test('of hours are made up to three days later, and those of days of these hours up to a month later', async () => {
    await count('10T22:10:00', 1);
    travelTo('10T23:35:00');
    await sum();
    await count('10T23:40:00', 2);
    travelTo('13T23:30:00');
    await sum({
      ...metrics,
      putSum: (...args) => (args[1] === 'day' ? Promise.resolve() : metrics.putSum(...args)),
    });
    expect(await stored('day')).toEqual({});
    travelTo('31T12:00:00');
    expect(await read('day')).toEqual({ '10': { e: 3 } });
    await sum();
    expect(await stored('day')).toEqual({ '10': { e: 3 } });
  });
});

describe('a reader sees each count once', () => {
  test.each(['10T23:00:00', '10T23:35:00', '11T00:35:00', '11T13:35:00', '12T01:59:30', '12T02:35:00'])(
    'when the job ran last at %s',
    async (last) => {
      await threeDays();
      travelTo(last);
      await sum();
      travelTo('12T02:40:00');
      expect(await read('hour')).toEqual({ ...HOURS, '12T01': { e: 32 } });
      expect(await read('day')).toEqual({ ...DAY_10, ...DAY_11, '12': { e: 32 } });
    },
  );

  test('when the job runs while it reads', async () => {
    await threeDays();
    travelTo('12T02:40:00');
    const racing: Pick<MetricStore, 'read'> = {
      async read(...args) {
        const buckets = await metrics.read(...args);
        await sum();
        return buckets;
      },
    };
    expect(await read('day', racing)).toEqual({ ...DAY_10, ...DAY_11, '12': { e: 32 } });
    expect(await read('hour', racing)).toEqual({ ...HOURS, '12T01': { e: 32 } });
  });

  test('of a range that ended long ago, from its sums alone', async () => {
    await threeDays();
    travelTo('12T02:35:00');
    await sum();
    travelTo('30T00:00:00');
    units.read = 0;
    const range = { granularity: 'hour', first: at('11T00:00:00'), last: at('11T23:00:00') } as const;
    expect(shown(await readTallies(metrics, source, range, now()), 'hour')).toEqual({
      '11T00': { e: 4 },
      '11T13': { e: 24 },
    });
    expect(units.read).toBe(0.5);
  });
});

describe('hours and days that an earlier release counted', () => {
  test('stay, and those of the upgrade have the counts from before and after it', async () => {
    await addEarlier('day', '09T00:00:00', 100);
    await addEarlier('hour', '09T07:00:00', 100);
    for (const [text, e] of [
      ['10T21:10:00', 1],
      ['10T22:10:00', 2],
    ] as const) {
      await count(text, e);
      await addEarlier('hour', text, e);
      await addEarlier('day', text, e);
    }
    // This release counts from here on.
    await count('10T22:40:00', 4);
    travelTo('10T22:50:00');
    const hours = { '09T07': { e: 100 }, '10T21': { e: 1 }, '10T22': { e: 6 } };
    const days = { '09': { e: 100 }, '10': { e: 7 } };
    expect([await read('hour'), await read('day')]).toEqual([hours, days]);
    for (const text of ['10T23:35:00', '11T00:35:00']) {
      travelTo(text);
      await sum();
      expect([await read('hour'), await read('day')]).toEqual([hours, days]);
    }
    expect(await stored('day')).toEqual(days);
  });

  test('are not replaced by fewer counts when their minutes have expired', async () => {
    await addEarlier('hour', '10T03:00:00', 9);
    await addEarlier('day', '10T00:00:00', 9);
    await count('10T03:59:00', 2);
    travelTo('11T02:35:00');
    for (let jobs = 0; jobs < 2; jobs += 1) {
      expect(await read('hour')).toEqual({ '10T03': { e: 9 } });
      expect(await read('day')).toEqual({ '10': { e: 9 } });
      await sum();
    }
  });
});
