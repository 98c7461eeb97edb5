import type { MetricRow } from '../../domain/metrics/metric-rows.ts';
import type { StatusClass } from '../../domain/metrics/tally.ts';
import type { SubjectMetrics } from '../../service/metric-reads/read-metrics.ts';

const SHOWN: Readonly<Record<StatusClass, string>> = {
  '2': '2xx',
  '3': '3xx',
  '4': '4xx',
  '5': '5xx',
  '0': 'none',
};

/** All rows, those of one source or webhook after those of another. */
export const showMetrics = (subjects: readonly SubjectMetrics[]) =>
  subjects.flatMap(({ sourceId: source_id, webhookId: webhook_id, rows }) => {
    const subject = { ...(source_id && { source_id }), ...(webhook_id && { webhook_id }) };
    return rows.map((row) => ({ ...subject, ...showMetric(row) }));
  });

function showMetric(row: MetricRow) {
  const { at: at_ms, ...rest } = row;
  if (!('byStatus' in rest)) return { at_ms, ...rest };
  const { value, byStatus } = rest;
  const by_status = Object.fromEntries(Array.from(byStatus, ([name, count]) => [SHOWN[name], count]));
  return { at_ms, value, by_status };
}
