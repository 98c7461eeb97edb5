import * as z from 'zod';
import {
  bucketName,
  GRANULARITIES,
  type Granularity,
  type MetricRange,
  startOfBucket,
} from '../domain/metrics/granularity.ts';
import { isCount, type MetricSubject, type Tally } from '../domain/metrics/tally.ts';
import { addOnce } from './add-once.ts';
import { metricKey, metricsPartition } from './keys.ts';
import { queryAll, type TableOptions } from './table-client.ts';

export type MetricStore = ReturnType<typeof metricStore>;

/** Counters of one update, fewer than the 300 operators that DynamoDB allows; also bounds the text of the expression. */
const COUNTERS_PER_UPDATE = 100;

const Count = z.number();
const BucketItem = z.looseObject({ sk: z.string() });

/** Counts of sources and webhooks, one item per bucket. An item expires when its bucket cannot be read any more. */
export function metricStore(table: TableOptions) {
  return {
    /** Adds to one bucket. A repeated request of the SDK has no effect, unless another instance added in between. */
    async add(subject: MetricSubject, granularity: Granularity, at: number, tally: Tally): Promise<void> {
      const key = metricKey(subject, granularity, bucketName(granularity, at));
      const { ms, keptMs } = GRANULARITIES[granularity];
      const expiresAt = Math.floor((startOfBucket(granularity, at) + ms + keptMs) / 1_000);
      const counts = [...tally];
      for (let start = 0; start < counts.length; start += COUNTERS_PER_UPDATE)
        await addOnce(table, key, { counts: counts.slice(start, start + COUNTERS_PER_UPDATE), expiresAt });
    },

    /** The tallies of a range, by the start of their buckets. Empty buckets are absent. */
    async read(
      subject: MetricSubject,
      { granularity, first, rows }: MetricRange,
    ): Promise<ReadonlyMap<number, Tally>> {
      const last = first + (rows - 1) * GRANULARITIES[granularity].ms;
      const names = [first, last].map(
        (at) => metricKey(subject, granularity, bucketName(granularity, at)).sk,
      );
      const items = await queryAll(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': metricsPartition(subject),
          ':first': names[0],
          ':last': names[1],
        },
        ConsistentRead: false,
      });
      const bySortKey = new Map(items.map((item) => [BucketItem.parse(item).sk, item]));
      const tallies = new Map<number, Tally>();
      for (let at = first; at <= last; at += GRANULARITIES[granularity].ms) {
        const item = bySortKey.get(metricKey(subject, granularity, bucketName(granularity, at)).sk);
        if (item) tallies.set(at, tallyOf(item));
      }
      return tallies;
    },
  };
}

/** The counters of an item; its other attributes are keys, the expiry and the mark of the last addition. */
const tallyOf = (item: Record<string, unknown>): Tally =>
  new Map(
    Object.entries(item).flatMap(([name, count]) => (isCount(name) ? [[name, Count.parse(count)]] : [])),
  );
