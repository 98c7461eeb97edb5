import { request } from './request.ts';
import type { CountRow, LatencyRow, Listed } from './wire.ts';

type MetricSubject = { source_id: string } | { webhook_id: string };

interface MetricTimes {
  granularity: 'minute' | 'hour' | 'day';
  /** Epoch ms; absent for the last hour, day or 30 days. */
  sinceMs?: number;
  /** Epoch ms; absent for now. */
  untilMs?: number;
  signal?: AbortSignal;
}

const rowsOf = <Row>(
  measure: string,
  subject: MetricSubject,
  { granularity, sinceMs, signal }: MetricTimes,
): Promise<Listed<Row>> =>
  request('GET', '/users/me/metrics', {
    query: { measure, ...subject, granularity, since: sinceMs },
    signal,
  });

export type CountMeasure = 'runs' | 'errors' | 'events' | 'attempts';

export const getCounts = async (
  measure: CountMeasure,
  subject: MetricSubject,
  times: MetricTimes,
): Promise<CountRow[]> => (await rowsOf<CountRow>(measure, subject, times)).data;

export const getLatencies = async (subject: MetricSubject, times: MetricTimes): Promise<LatencyRow[]> =>
  (await rowsOf<LatencyRow>('latency', subject, times)).data;

/** The latencies of days in UTC of up to 100 webhooks. */
export async function getDayLatencies(ids: readonly string[], sinceMs: number): Promise<LatencyRow[]> {
  const query = {
    measure: 'latency',
    webhook_id: ids.join(','),
    granularity: 'day',
    since: sinceMs,
  };
  return (await request<Listed<LatencyRow>>('GET', '/users/me/metrics', { query })).data;
}

interface ManySubjects extends MetricTimes {
  subject: 'source_id' | 'webhook_id';
  /** A response has at most 1,500 rows: 62 ids of a day of hours. */
  ids: readonly string[];
}

/** The counts of several sources or webhooks, by id. */
export async function getManyCounts(
  measure: CountMeasure,
  { subject, ids, granularity, sinceMs, untilMs, signal }: ManySubjects,
): Promise<ReadonlyMap<string, readonly CountRow[]>> {
  if (ids.length === 0) return new Map();
  const query = { measure, [subject]: ids.join(','), granularity, since: sinceMs, until: untilMs };
  const { data } = await request<Listed<CountRow>>('GET', '/users/me/metrics', { query, signal });
  const byId = new Map<string, CountRow[]>(ids.map((id) => [id, []]));
  // Rows name their subject when several are asked for.
  for (const row of data) byId.get(row[subject] ?? ids[0] ?? '')?.push(row);
  return byId;
}
