import { SERVICE_METRICS, type ServiceMetricName } from '../domain/metrics/service-metric-names.ts';
import { COUNT, type Tally } from '../domain/metrics/tally.ts';
import type { EmitterId } from '../domain/id.ts';
import type { Quotas } from '../service/admission/quotas.ts';
import type { AttemptCounts, CountedAttempt } from '../service/delivery/attempt-counts.ts';
import type { MetricCounts } from '../service/metrics/metric-counts.ts';
import type { BacklogStore } from '../store/emitters/backlog.ts';
import { waitingIn } from '../store/emitters/backlog-item.ts';
import type { EmitterStore } from '../store/emitters/emitters.ts';
import { intervalWriter } from './interval-writer.ts';

/** Counts for the operator, of all users together. */
export interface ServiceMetrics {
  /** Triggers of a source were handled; the runs among them took these times. */
  ran(tally: Tally, runMs: readonly number[]): void;
  refused(): void;
  /** So many triggers wait in the backlog of an emitter. */
  waits(emitterId: EmitterId, count: number): void;
  /** So many triggers came to a backlog. */
  waitsMore(emitterId: EmitterId, count: number): void;
  /** `isFirst`: the function makes first attempts, whose lag is measured. */
  attempted(attempt: CountedAttempt, isFirst: boolean): void;
}

export interface ServiceMetricsOptions {
  namespace: string;
  /** Writes one line of the log, whatever the level. */
  write(fields: object): void;
  functionName: string;
  now(): number;
  /** Calls back after this time. */
  later(work: () => void, ms: number): void;
}

type Values = Partial<Record<ServiceMetricName, number>>;

const UNITS: Readonly<Record<ServiceMetricName, string>> = {
  [SERVICE_METRICS.runsFailed]: 'Count',
  [SERVICE_METRICS.deliveriesFailed]: 'Count',
  [SERVICE_METRICS.deliveryLag]: 'Milliseconds',
};

/** Counts for the alarms and the dashboard of CloudWatch. */
export function createServiceMetrics(options: ServiceMetricsOptions): ServiceMetrics {
  let values: Values = {};
  const changed = intervalWriter(options, () => {
    const written = values;
    values = {};
    options.write(metricsLine(options, written));
  });

  function change(name: ServiceMetricName, merge: (before: number) => number): void {
    values[name] = merge(values[name] ?? 0);
    changed();
  }

  const runsFailed = (count: number) => {
    if (count > 0) change(SERVICE_METRICS.runsFailed, (before) => before + count);
  };

  return {
    ran: (tally) => runsFailed(tally.get(COUNT.errors) ?? 0),
    refused: () => runsFailed(1),
    waits: () => undefined,
    waitsMore: () => undefined,
    attempted({ isDelivered, latencyMs }, isFirst) {
      if (!isDelivered) change(SERVICE_METRICS.deliveriesFailed, (before) => before + 1);
      else if (isFirst && latencyMs !== undefined)
        change(SERVICE_METRICS.deliveryLag, (before) => Math.max(before, latencyMs));
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

/** Counts runs for the operator, too. The metrics of a source count an event of its `$errors` for each failed run. */
export const withRunMetrics = (counts: MetricCounts, metrics: ServiceMetrics): MetricCounts => ({
  ...counts,
  count(subject, tally, runMs = []) {
    metrics.ran(tally, runMs);
    counts.count(subject, tally);
  },
});

export const withQuotaMetrics = (quotas: Quotas, metrics: ServiceMetrics): Quotas => ({
  async isOver(source) {
    const isOver = await quotas.isOver(source);
    if (isOver) metrics.refused();
    return isOver;
  },
});

interface BacklogStores {
  emitters: EmitterStore;
  backlogs: BacklogStore;
}

/** Tells how long the backlog of a source is, whenever the source is loaded and whenever triggers are added. */
export const withBacklogMetrics = ({ emitters, backlogs }: BacklogStores, metrics: ServiceMetrics): BacklogStores => ({
  emitters: {
    ...emitters,
    async load(emitterId) {
      const emitter = await emitters.load(emitterId);
      metrics.waits(emitterId, emitter.backlog ? waitingIn(emitter.backlog).count : 0);
      return emitter;
    },
  },
  backlogs: {
    ...backlogs,
    async begin(emitterId, id, addition) {
      const hasBegun = await backlogs.begin(emitterId, id, addition);
      if (hasBegun) metrics.waits(emitterId, addition.count);
      return hasBegun;
    },
    async add(emitterId, id, addition) {
      const isAdded = await backlogs.add(emitterId, id, addition);
      if (isAdded) metrics.waitsMore(emitterId, addition.count);
      return isAdded;
    },
    async end(emitterId, moved) {
      const isEnded = await backlogs.end(emitterId, moved);
      if (isEnded) metrics.waits(emitterId, 0);
      return isEnded;
    },
  },
});

/** Counts attempts for the operator, too. */
export const withAttemptMetrics = (
  counts: AttemptCounts,
  metrics: ServiceMetrics,
  { first }: { first: boolean },
): AttemptCounts => ({
  ...counts,
  count(attempt) {
    metrics.attempted(attempt, first);
    counts.count(attempt);
  },
});
