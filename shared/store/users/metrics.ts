import * as z from 'zod';
import type { Bucket, SummedGranularity } from '../../domain/metrics/adding-up.ts';
import {
  bucketName,
  bucketStart,
  GRANULARITIES,
  type Granularity,
  startOfBucket,
} from '../../domain/metrics/granularity.ts';
import { isCount, type MetricSubject, type Tally } from '../../domain/metrics/tally.ts';
import { addOnce } from '../table/add-once.ts';
import { metricKey, metricsPartition } from '../table/keys.ts';
import { putItem, type Key, keysBetween, queryAll, type TableOptions } from '../table/table-client.ts';

export type MetricStore = ReturnType<typeof metricStore>;

/**
 * Counters of one update, fewer than the 300 operators that DynamoDB allows; also bounds the text of the expression.
 */
const COUNTERS_PER_UPDATE = 100;

const Count = z.number();
const BucketItem = z.looseObject({
  sk: z.string(),
  /** Absent in minutes, and in the hours and days of earlier releases. */
  isSum: z.boolean().default(false),
});

interface StoredRange {
  granularity: Granularity;
  /** Starts of the first and the last bucket, epoch ms. */
  first: number;
  last: number;
  /** Default: eventually consistent. */
  isConsistent?: boolean;
}

/** Counts of sources and webhooks, one item per bucket. */
export function metricStore(table: TableOptions) {
  return {
    /** Adds to one minute. A repeated request of the SDK has no effect, unless another instance added in between. */
    async add(subject: MetricSubject, at: number, tally: Tally): Promise<void> {
      const key = keyOf(subject, 'minute', at);
      const expiresAt = expiryOf('minute', at);
      const counts = [...tally];
      for (let start = 0; start < counts.length; start += COUNTERS_PER_UPDATE)
        await addOnce(table, key, { counts: counts.slice(start, start + COUNTERS_PER_UPDATE), expiresAt });
    },

    /** Stores the sum of an hour or a day. The same sum may be stored again. */
    async putSum(subject: MetricSubject, granularity: SummedGranularity, at: number, tally: Tally): Promise<void> {
      await putItem(table, {
        Item: {
          ...Object.fromEntries(tally),
          ...keyOf(subject, granularity, at),
          expiresAt: expiryOf(granularity, at),
          isSum: true,
        },
      });
    },

    /** The stored buckets of a range by their start, oldest first. Empty buckets are absent. */
    async read(
      subject: MetricSubject,
      { granularity, first, last, isConsistent = false }: StoredRange,
    ): Promise<ReadonlyMap<number, Bucket>> {
      if (last < first) return new Map();
      const items = await queryAll(table, {
        ...keysBetween(
          metricsPartition(subject),
          keyOf(subject, granularity, first).sk,
          keyOf(subject, granularity, last).sk,
        ),
        ConsistentRead: isConsistent,
      });
      return new Map(items.map((item) => bucketOf(granularity, item)));
    },
  };
}

const keyOf = (subject: MetricSubject, granularity: Granularity, at: number): Key =>
  metricKey(subject, granularity, bucketName(granularity, at));

/** Epoch seconds. */
function expiryOf(granularity: Granularity, at: number): number {
  const { ms, keptMs } = GRANULARITIES[granularity];
  return Math.floor((startOfBucket(granularity, at) + ms + keptMs) / 1_000);
}

function bucketOf(granularity: Granularity, item: Record<string, unknown>): [number, Bucket] {
  const { sk, isSum } = BucketItem.parse(item);
  return [bucketStart(sk.slice(granularity.length + 1)), { tally: tallyOf(item), isSum }];
}

/** The counters of an item; its other attributes are keys, the expiry and the mark of the last addition. */
const tallyOf = (item: Record<string, unknown>): Tally =>
  new Map(Object.entries(item).flatMap(([name, count]) => (isCount(name) ? [[name, Count.parse(count)]] : [])));
