import { createAttemptCounts } from '../../service/delivery/attempt-counts.ts';
import { createMetricCounts } from '../../service/metrics/metric-counts.ts';
import { activityStore } from '../../store/users/activity-counts.ts';
import { deliveryBytesStore } from '../../store/deliveries/delivery-bytes.ts';
import { metricStore } from '../../store/users/metrics.ts';
import { environment } from '../environment.ts';
import { type Log, describeError, writeLogLine } from '../log.ts';
import { createServiceCounts } from '../count-lines.ts';
import { type ServiceMetrics, createServiceMetrics } from '../service-metrics.ts';
import { now, table } from './common-wiring.ts';

/** Counts that a function keeps in memory and writes in intervals. */
const counting = (functionLog: Pick<Log, 'warn'>) => ({
  now,
  later: (work: () => void, ms: number) => setTimeout(work, ms).unref(),
  onLost: (error: unknown) => functionLog.warn('activity.lost', { error: describeError(error) }),
});

export const metricCounts = (functionLog: Pick<Log, 'warn'>) =>
  createMetricCounts({ metrics: metricStore(table()), ...counting(functionLog) });

export const attemptCounts = (functionLog: Log) =>
  createAttemptCounts({
    activity: activityStore(table()),
    deliveryBytes: deliveryBytesStore(table()),
    metrics: metricCounts(functionLog),
    ...counting(functionLog),
  });

/** Without a namespace of CloudWatch, the process that runs the functions reads the counts. */
export function serviceMetrics(functionName: string, functionLog: Pick<Log, 'warn'>): ServiceMetrics {
  const namespace = environment('METRIC_NAMESPACE').METRIC_NAMESPACE;
  const create = namespace === '' ? createServiceCounts : createServiceMetrics;
  return create({ namespace, write: writeLogLine, functionName, ...counting(functionLog) });
}
