import { Counter, Gauge, Registry } from 'prom-client';
import { REFUSED } from '../../../shared/domain/metrics/service-counts.ts';
import { COUNT, STATUS_CLASSES, type StatusClass } from '../../../shared/domain/metrics/tally.ts';
import { VERSION } from '../../../shared/domain/version.ts';
import type { MetricSources } from './metric-sources.ts';
import { RecordedHistogram, type RecordedTimes } from './recorded-histogram.ts';

/** Values with their labels. */
type Rows = readonly (readonly [value: number, labels: Readonly<Record<string, string>>])[];

const NONE = {};
const statusName = (status: StatusClass) => (status === '0' ? 'none' : `${status}xx`);

export interface MetricsText {
  readonly contentType: string;
  /** The values as they are now. */
  read(): Promise<string>;
}

/**
 * The text of a page of metrics. Names follow https://prometheus.io/docs/practices/naming/, those of the process
 * https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics. All values of labels are written here
 * or in the template: no label has ids, names of users or paths.
 */
export function metricsText(sources: MetricSources): MetricsText {
  const registry = new Registry();
  const metrics = writer(registry);
  addRequests(metrics, sources);
  addWork(metrics, sources);
  addQueues(metrics, sources);
  addProcess(metrics, sources);
  return { contentType: registry.contentType, read: () => registry.metrics() };
}

/** Adds metrics whose values are read when a page is written. */
function writer(registry: Registry) {
  const options = (name: string, help: string, labelNames: readonly string[]) => ({
    ...{ name, help, labelNames, registers: [registry] },
  });
  return {
    counter(name: string, help: string, read: () => Rows, labelNames: readonly string[] = []) {
      const collect = () => {
        counter.reset();
        for (const [value, labels] of read()) counter.inc(labels, value);
      };
      const counter = new Counter<string>({ ...options(name, help, labelNames), collect });
    },
    gauge(name: string, help: string, read: () => Rows | Promise<Rows>, labelNames: readonly string[] = []) {
      const collect = async () => {
        for (const [value, labels] of await read()) gauge.set(labels, value);
      };
      const gauge = new Gauge<string>({ ...options(name, help, labelNames), collect });
    },
    histogram(name: string, help: string, recorded: () => readonly RecordedTimes[]) {
      registry.registerMetric(new RecordedHistogram({ name, help, registers: [], recorded }));
    },
  };
}
type Writer = ReturnType<typeof writer>;

function addRequests(metrics: Writer, { requests, streamCount }: MetricSources): void {
  const apis = () => [
    { labels: { api: 'api' }, ...requests.api },
    { labels: { api: 'ingress' }, ...requests.ingress },
  ];
  metrics.counter(
    'tributary_http_requests_total',
    'Requests of the API and of endpoints (ingress) by class of status; none: the client left before the response.',
    () =>
      apis().flatMap(({ labels, byStatus }) =>
        STATUS_CLASSES.map((each) => [byStatus.get(each) ?? 0, { ...labels, status: statusName(each) }]),
      ),
    ['api', 'status'],
  );
  metrics.histogram(
    'tributary_http_request_duration_seconds',
    'Time from the headers of a request to the end of its response. Live streams are not counted.',
    apis,
  );
  metrics.gauge('tributary_live_streams', 'Live streams that are open.', () => [[streamCount(), NONE]]);
}

function addWork(metrics: Writer, { services }: MetricSources): void {
  const { counts, times } = services;
  const count = (name: string): Rows => [[counts.get(name) ?? 0, NONE]];
  const outcomes = { delivered: COUNT.deliveries, failed: COUNT.failures };
  metrics.counter('tributary_runs_total', 'Runs of components.', () => count(COUNT.runs));
  metrics.counter('tributary_run_errors_total', 'Errors of sources. Each is an event of $errors.', () =>
    count(COUNT.errors),
  );
  metrics.counter('tributary_refused_triggers_total', 'Triggers that the quota of their user refused.', () =>
    count(REFUSED),
  );
  metrics.gauge(
    'tributary_waiting_triggers',
    'Triggers in the backlogs of sources that are behind. Others wait in the queue runs.',
    () => [[services.backlogs.triggers, NONE]],
  );
  metrics.gauge('tributary_behind_sources', 'Sources that have a backlog.', () => [[services.backlogs.count, NONE]]);
  metrics.counter('tributary_events_total', 'Events that sources emitted.', () => count(COUNT.events));
  metrics.counter(
    'tributary_delivery_attempts_total',
    'Attempts of deliveries by outcome and class of status; none: there was no response.',
    () =>
      Object.entries(outcomes).flatMap(([outcome, name]) =>
        STATUS_CLASSES.map((each) => [counts.get(name + each) ?? 0, { outcome, status: statusName(each) }]),
      ),
    ['outcome', 'status'],
  );
  metrics.histogram('tributary_run_duration_seconds', 'Time of a run.', () => [{ labels: NONE, times: times.run }]);
  metrics.histogram('tributary_delivery_attempt_duration_seconds', 'Time until a receiver has answered.', () => [
    { labels: NONE, times: times.attempt },
  ]);
  metrics.histogram(
    'tributary_delivery_latency_seconds',
    'Time from the storing of an event to the end of the attempt that delivered it, retries included.',
    () => [{ labels: NONE, times: times.delivery }],
  );
}

function addQueues(metrics: Writer, { queues }: MetricSources): void {
  metrics.gauge(
    'tributary_queue_messages',
    'Messages of a queue: ready to be taken, in flight (in work), or delayed. Triggers wait in the queue runs.',
    () =>
      queues.flatMap(({ name, counts }) => {
        const { visible, inFlight, delayed } = counts();
        const states = { ready: visible, in_flight: inFlight, delayed };
        return Object.entries(states).map(([state, value]) => [value, { queue: name, state }] as const);
      }),
    ['queue', 'state'],
  );
  metrics.gauge(
    'tributary_queue_oldest_message_age_seconds',
    'Age of the oldest message of a queue; 0 without messages.',
    () => queues.map(({ name, oldestAge }) => [(oldestAge() ?? 0) / 1_000, { queue: name }]),
    ['queue'],
  );
  metrics.gauge(
    'tributary_dead_letters',
    'Messages that failed again and again and were set aside.',
    () => queues.map(({ name, deadLetters }) => [deadLetters(), { queue: name }]),
    ['queue'],
  );
}

function addProcess(metrics: Writer, { health }: MetricSources): void {
  const startedAt = Date.now() / 1_000 - process.uptime();
  metrics.gauge('tributary_build_info', 'Version of the service.', () => [[1, { version: VERSION }]], ['version']);
  metrics.gauge('tributary_healthy', '1 when GET /healthz answers 200, else 0.', async () => [
    [(await health()) === undefined ? 1 : 0, NONE],
  ]);
  metrics.gauge('process_start_time_seconds', 'Start of the process, Unix time.', () => [[startedAt, NONE]]);
  metrics.counter('process_cpu_seconds_total', 'Processor time of the process, without those of components.', () => {
    const { user, system } = process.cpuUsage();
    return [[(user + system) / 1e6, NONE]];
  });
  metrics.gauge('process_resident_memory_bytes', 'Memory of the process, without those of components.', () => [
    [process.memoryUsage.rss(), NONE],
  ]);
  metrics.gauge('nodejs_heap_size_used_bytes', 'Heap of the process that is used.', () => [
    [process.memoryUsage().heapUsed, NONE],
  ]);
}
