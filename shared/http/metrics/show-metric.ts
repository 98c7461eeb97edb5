import type { MetricRow } from '../../domain/metrics/metric-rows.ts';
import type { StatusClass } from '../../domain/metrics/tally.ts';

const SHOWN: Readonly<Record<StatusClass, string>> = {
  '2': '2xx',
  '3': '3xx',
  '4': '4xx',
  '5': '5xx',
  '0': 'none',
};

export function showMetric(row: MetricRow) {
  const { at: at_ms, ...rest } = row;
  if (!('byStatus' in rest)) return { at_ms, ...rest };
  const { value, byStatus } = rest;
  const by_status = Object.fromEntries(Array.from(byStatus, ([name, count]) => [SHOWN[name], count]));
  return { at_ms, value, by_status };
}
