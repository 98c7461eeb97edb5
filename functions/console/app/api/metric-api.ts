import { request } from './request.ts';
import type { CountRow, LatencyRow, Listed } from './wire.ts';

type MetricSubject = { source_id: string } | { webhook_id: string };

interface MetricTimes {
  granularity: 'minute' | 'hour' | 'day';
  /** Epoch ms; absent for the last hour, day or 30 days. */
  sinceMs?: number;
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

interface SparkSubjects {
  subject: 'source_id' | 'webhook_id';
  /** At most 62: a response has 1,500 rows. */
  ids: readonly string[];
  signal: AbortSignal;
}

/** The hours of the last day of several sources or webhooks, by id. */
export async function getSparkCounts(
  measure: CountMeasure,
  { subject, ids, signal }: SparkSubjects,
): Promise<ReadonlyMap<string, readonly CountRow[]>> {
  const query = { measure, [subject]: ids.join(','), granularity: 'hour' };
  const { data } = await request<Listed<CountRow>>('GET', '/users/me/metrics', { query, signal });
  const byId = new Map<string, CountRow[]>(ids.map((id) => [id, []]));
  // Rows name their subject when several are asked for.
  for (const row of data) byId.get(row[subject] ?? ids[0] ?? '')?.push(row);
  return byId;
}
