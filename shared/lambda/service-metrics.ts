import { SERVICE_METRICS, type ServiceMetricName } from '../domain/metrics/service-metric-names.ts';
import { COUNT } from '../domain/metrics/tally.ts';
import type { Quotas } from '../service/admission/quotas.ts';
import type { AttemptCounts } from '../service/delivery/attempt-counts.ts';
import type { MetricCounts } from '../service/metrics/metric-counts.ts';

export interface ServiceMetrics {
  runsFailed(count: number): void;
  deliveryFailed(): void;
  /** An event was delivered by its first attempt, so long after it was stored. */
  deliveredAfter(ms: number): void;
}

interface ServiceMetricsOptions {
  /** Empty: nothing is counted. */
  namespace: string;
  /** Writes one line of the log, whatever the level. */
  write(fields: object): void;
  functionName: string;
  now(): number;
  /** Calls back after this time. */
  later(work: () => void, ms: number): void;
}

type Values = Partial<Record<ServiceMetricName, number>>;

/** An instance writes one line in this time, so that metrics cost no line per event. */
export const METRICS_INTERVAL_MS = 10_000;

const UNITS: Readonly<Record<ServiceMetricName, string>> = {
  [SERVICE_METRICS.runsFailed]: 'Count',
  [SERVICE_METRICS.deliveriesFailed]: 'Count',
  [SERVICE_METRICS.deliveryLag]: 'Milliseconds',
};

/**
 * Counts for the operator's alarms and dashboard. The first count is written at once: AWS freezes an idle instance, and
 * alarms must not wait for its next invocation. The counts of the next ten seconds are written together.
 */
export function createServiceMetrics(options: ServiceMetricsOptions): ServiceMetrics {
  const { namespace, now, later } = options;
  let values: Values = {};
  let writtenAt = -Infinity;
  let isWaiting = false;

  function flush(): void {
    const written = values;
    values = {};
    writtenAt = now();
    options.write(metricsLine(options, written));
  }

  function settle(): void {
    const waitMs = writtenAt + METRICS_INTERVAL_MS - now();
    // A clock that was set back makes no longer wait.
    if (waitMs <= 0 || waitMs > METRICS_INTERVAL_MS) {
      flush();
      return;
    }
    if (isWaiting) return;
    isWaiting = true;
    later(() => {
      isWaiting = false;
      if (Object.keys(values).length > 0) flush();
    }, waitMs);
  }

  function change(name: ServiceMetricName, merge: (before: number) => number): void {
    if (namespace === '') return;
    values[name] = merge(values[name] ?? 0);
    settle();
  }

  return {
    runsFailed(count) {
      if (count > 0) change(SERVICE_METRICS.runsFailed, (before) => before + count);
    },
    deliveryFailed() {
      change(SERVICE_METRICS.deliveriesFailed, (before) => before + 1);
    },
    deliveredAfter(ms) {
      change(SERVICE_METRICS.deliveryLag, (before) => Math.max(before, ms));
    },
  };
}

/** A line in CloudWatch's format EMF: CloudWatch makes metrics of it, without a call. */
const metricsLine = (
  { namespace, functionName, now }: Pick<ServiceMetricsOptions, 'namespace' | 'functionName' | 'now'>,
  values: Values,
): object => ({
  level: 'info',
  message: 'metrics',
  function: functionName,
  timestamp: new Date(now()).toISOString(),
  _aws: {
    Timestamp: now(),
    CloudWatchMetrics: [
      {
        Namespace: namespace,
        Dimensions: [[]],
        Metrics: Object.values(SERVICE_METRICS)
          .filter((name) => name in values)
          .map((name) => ({ Name: name, Unit: UNITS[name] })),
      },
    ],
  },
  ...values,
});

/** Counts failed runs for the operator, too. The metrics of a source count an event of its `$errors` for each. */
export const withRunMetrics = (counts: MetricCounts, metrics: ServiceMetrics): MetricCounts => ({
  ...counts,
  count(subject, tally) {
    metrics.runsFailed(tally.get(COUNT.errors) ?? 0);
    counts.count(subject, tally);
  },
});

/** Counts triggers that a quota refuses. */
export const withQuotaMetrics = (quotas: Quotas, metrics: ServiceMetrics): Quotas => ({
  async isOver(source) {
    const isOver = await quotas.isOver(source);
    if (isOver) metrics.runsFailed(1);
    return isOver;
  },
});

/** Counts failed attempts for the operator, too; `first`: the function makes first attempts, whose lag is measured. */
export const withAttemptMetrics = (
  counts: AttemptCounts,
  metrics: ServiceMetrics,
  { first }: { first: boolean },
): AttemptCounts => ({
  ...counts,
  count(attempt) {
    const { isDelivered, latencyMs } = attempt;
    if (!isDelivered) metrics.deliveryFailed();
    else if (first && latencyMs !== undefined) metrics.deliveredAfter(latencyMs);
    counts.count(attempt);
  },
});
