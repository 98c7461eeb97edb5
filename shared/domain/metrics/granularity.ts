import * as z from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/durations.ts';

/** The length of the buckets that metrics are counted in. */
export const Granularity = z.enum(['minute', 'hour', 'day']);
export type Granularity = z.infer<typeof Granularity>;

interface Shape {
  /** Length of a bucket. */
  ms: number;
  /** How long a bucket is stored after its end. */
  keptMs: number;
  /** Buckets of a request without `since`, up to its `until`. */
  usual: number;
  /** Characters of an ISO time that name the bucket. */
  digits: number;
}

/**
 * The API promises a day. Minutes are stored for longer, so that hours can still be added up from them after the
 * service was down for two days.
 */
const MINUTES_MS = 3 * DAY_MS;
/** 13 months: twelve whole ones, and the one of today. */
const MONTHS_MS = 397 * DAY_MS;

export const GRANULARITIES: Readonly<Record<Granularity, Shape>> = {
  minute: { ms: MINUTE_MS, keptMs: MINUTES_MS, usual: 60, digits: 16 },
  hour: { ms: HOUR_MS, keptMs: 30 * DAY_MS, usual: 24, digits: 13 },
  day: { ms: DAY_MS, keptMs: MONTHS_MS, usual: 30, digits: 10 },
};

export const MAX_ROWS = 1_500;

/** Start of the UTC bucket of a time, epoch ms. Leap seconds do not count, so every day has the same length. */
export const startOfBucket = (granularity: Granularity, at: number): number => {
  const { ms } = GRANULARITIES[granularity];
  return Math.floor(at / ms) * ms;
};

/** Names the bucket of a time: 2026-01-31T05:07, 2026-01-31T05 or 2026-01-31. Names sort by time. */
export const bucketName = (granularity: Granularity, at: number): string =>
  new Date(at).toISOString().slice(0, GRANULARITIES[granularity].digits);

/** The start of the bucket with a name, epoch ms. */
export const bucketStart = (name: string): number => Date.parse(name + '0000-01-01T00:00:00Z'.slice(name.length));

export interface MetricRange {
  granularity: Granularity;
  /** Start of the first bucket, epoch ms. */
  first: number;
  rows: number;
}

/** Start of the last bucket of a range, epoch ms. */
export const lastOf = ({ granularity, first, rows }: MetricRange): number =>
  first + (rows - 1) * GRANULARITIES[granularity].ms;

interface WantedRange {
  granularity: Granularity;
  since?: number | undefined;
  until?: number | undefined;
}

/**
 * The buckets that hold times from `since` on and before `until`. Without `until` they end with the bucket of now, or
 * of a `since` that is later.
 */
export function metricRange({ granularity, since, until }: WantedRange, now: number): MetricRange {
  const { ms, usual } = GRANULARITIES[granularity];
  const last = startOfBucket(granularity, until === undefined ? now : until - 1);
  const first = since === undefined ? last - (usual - 1) * ms : startOfBucket(granularity, since);
  return { granularity, first, rows: Math.max(1, (last - first) / ms + 1) };
}
