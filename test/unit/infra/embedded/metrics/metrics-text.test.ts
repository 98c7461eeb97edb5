import { beforeEach, describe, expect, test } from 'vitest';
import { metricsText } from '../../../../../infra/embedded/metrics/metrics-text.ts';
import { newRequestTotals, type RequestTotals } from '../../../../../infra/embedded/metrics/request-totals.ts';
import { ServiceTotals } from '../../../../../infra/embedded/metrics/service-totals.ts';
import { newServiceTimes, type ServiceCounts } from '../../../../../shared/domain/metrics/service-counts.ts';
import { VERSION } from '../../../../../shared/domain/version.ts';
import { tableIn } from '../../../../support/doc-table.ts';
import { PrometheusPage } from '../../../../support/prometheus-text.ts';

let requests: RequestTotals;
let services: ServiceTotals;
let problem: string | undefined;
beforeEach(() => {
  [requests, services, problem] = [newRequestTotals(), new ServiceTotals(), undefined];
});

const queue = (name: string) => ({
  name,
  counts: () => ({ visible: 4, inFlight: 2, delayed: 1 }),
  oldestAge: () => (name === 'runs' ? 1_500 : undefined),
  deadLetters: () => 3,
});

async function text(): Promise<string> {
  const sources = {
    ...{ requests, services, queues: ['runs', 'deliveries'].map(queue), streamCount: () => 5 },
    health: () => Promise.resolve(problem),
  };
  const { contentType, read: readText } = metricsText(sources);
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  return readText();
}
const page = async () => new PrometheusPage(await text());

const times = (ms: number) => {
  const made = newServiceTimes();
  made.run.add(ms);
  return { run: made.run.counts, attempt: made.attempt.counts, delivery: made.delivery.counts };
};
const line = (counts: Record<string, number>, more: Partial<ServiceCounts> = {}): string =>
  JSON.stringify({
    ...{ level: 'info', message: 'counts', function: 'run-source', counts, times: times(7) },
    ...{ backlogs: { count: 0, triggers: 0 }, ...more },
  });
const read = (functionName: string, written: string) => services.read({ functionName, text: written });

describe('a page', () => {
  test('begins with a zero for each value of a label, so that rates begin with the first event', async () => {
    const zeros = await page();
    expect(zeros.value('tributary_runs_total')).toBe(0);
    expect(zeros.value('tributary_delivery_attempts_total', { outcome: 'failed', status: 'none' })).toBe(0);
    expect(zeros.series.filter((each) => each.startsWith('tributary_http_requests_total'))).toHaveLength(10);
    expect(zeros.histogram('tributary_delivery_latency_seconds').count).toBe(0);
  });

  test('sums what the functions have counted', async () => {
    for (const written of [line({ r: 2, e: 3 }), line({ r: 1, x: 1, d2: 4, f5: 2, f0: 1, q: 6 })])
      expect(read('run-source', written)).toBe(true);
    const sums = await page();
    const counters = ['runs', 'run_errors', 'events', 'refused_triggers', 'delivery_attempts'];
    expect(counters.map((name) => sums.value(`tributary_${name}_total`))).toEqual([3, 1, 3, 6, 7]);
    const attempts = (labels: Record<string, string>) => sums.value('tributary_delivery_attempts_total', labels);
    expect([attempts({ outcome: 'delivered' }), attempts({ outcome: 'failed', status: '5xx' })]).toEqual([4, 2]);
    expect(sums.histogram('tributary_run_duration_seconds')).toMatchObject({ count: 2, sum: 0.014 });
  });

  test('has cumulative buckets in seconds, of which the last has all values', async () => {
    for (const ms of [5, 5.1, 99, 60_000, 1e9]) requests.api.add({ status: 200, ms, isStream: false });
    const { buckets, count, sum } = (await page()).histogram('tributary_http_request_duration_seconds', { api: 'api' });
    expect(count).toBe(5);
    expect(sum).toBeCloseTo(1_000_060.1091);
    expect(Object.fromEntries(buckets)).toMatchObject({
      ...{ '0.005': 1, '0.01': 2, '0.05': 2, '0.1': 3, '30': 3, '60': 4, '+Inf': 5 },
    });
    const ascending = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);
    expect([...buckets.values()]).toEqual(ascending([...buckets.values()]));
    const bounds = Array.from(buckets.keys(), (le) => (le === '+Inf' ? Infinity : Number(le)));
    expect(bounds).toEqual(ascending([...new Set(bounds)]));
  });

  test('counts the requests of both APIs by class of status, and takes no time of live streams', async () => {
    requests.api.add({ status: 200, ms: 60_000, isStream: true });
    requests.ingress.add({ status: undefined, ms: 1, isStream: false });
    requests.ingress.add({ status: 503, ms: 1, isStream: false });
    const counted = await page();
    const of = (labels: Record<string, string>) => counted.value('tributary_http_requests_total', labels);
    expect([of({ api: 'api', status: '2xx' }), of({ api: 'ingress', status: 'none' }), of({ status: '5xx' })]).toEqual([
      1, 1, 1,
    ]);
    const countOf = (api: string) => counted.histogram('tributary_http_request_duration_seconds', { api }).count;
    expect([countOf('api'), countOf('ingress')]).toEqual([0, 2]);
  });

  test('has queues, backlogs, live streams, health, version and the process as they are now', async () => {
    read('run-source', line({}, { backlogs: { count: 9, triggers: 90 } }));
    read('run-source', line({}, { backlogs: { count: 2, triggers: 20 } }));
    read('deliver-event', line({}));
    problem = 'The disk is full.';
    const now = await page();
    expect(now.value('tributary_queue_messages', { queue: 'runs' })).toBe(7);
    expect(now.value('tributary_queue_messages', { queue: 'runs', state: 'in_flight' })).toBe(2);
    const ageOf = (name: string) => now.value('tributary_queue_oldest_message_age_seconds', { queue: name });
    expect([ageOf('runs'), ageOf('deliveries')]).toEqual([1.5, 0]);
    expect(now.value('tributary_dead_letters', { queue: 'deliveries' })).toBe(3);
    expect([now.value('tributary_behind_sources'), now.value('tributary_waiting_triggers')]).toEqual([2, 20]);
    expect([now.value('tributary_live_streams'), now.value('tributary_healthy')]).toEqual([5, 0]);
    expect(now.value('tributary_build_info', { version: VERSION })).toBe(1);
    expect(now.value('process_start_time_seconds')).toBeCloseTo(Date.now() / 1_000 - process.uptime(), 0);
    expect(now.value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(now.value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(now.value('nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
  });

  test('has the same lines, however much was counted', async () => {
    const before = await page();
    for (let n = 0; n < 1_000; n += 1) {
      read('run-source', line({ r: 1, e: 1, d2: 1, f4: 1 }, { backlogs: { count: n, triggers: n } }));
      requests.ingress.add({ status: 200 + (n % 400), ms: n, isStream: false });
    }
    expect((await page()).series).toEqual(before.series);
    expect((await text()).split('\n').length).toBeLessThan(250);
  });

  test('has each pair of name and labels once, and names as the conventions of Prometheus want them', async () => {
    const { families, series } = await page();
    expect(series).toEqual([...new Set(series)]);
    for (const { name, type, help } of families) {
      expect(name).toMatch(/^(?:tributary|process|nodejs)_[a-z_]+$/);
      expect(name.endsWith('_total'), name).toBe(type === 'COUNTER');
      if (type === 'HISTOGRAM') expect(name).toMatch(/_seconds$/);
      expect(help, name).toMatch(/\w/);
    }
  });

  test('has the metrics of the table in docs/metrics.md, with their types and labels', async () => {
    const documented = tableIn('docs/metrics.md', 'The metrics').map(([name = '', type = '', labels = '']) => ({
      name: name.replaceAll('`', ''),
      type: type.toUpperCase(),
      labels: labels
        .split(';')
        .flatMap((each) => /^`(\w+)`/.exec(each.trim())?.[1] ?? [])
        .sort(),
    }));
    const written = await page();
    const shown = written.families.map((family) => ({
      name: family.name,
      type: family.type,
      labels: [...new Set(written.samplesOf(family).flatMap(({ labels }) => Object.keys(labels)))]
        .filter((label) => label !== 'le')
        .sort(),
    }));
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
    expect(shown.sort(byName)).toEqual(documented.sort(byName));
  });
});

describe('the log', () => {
  test('gives counts only by lines that functions write for that', async () => {
    const quoted = JSON.stringify({ level: 'info', message: 'x', text: line({ r: 5 }) });
    for (const other of ['', 'text', quoted, '{"level":"info","message":"counts","counts":{"r":"many"}}'])
      expect(read('run-source', other)).toBe(false);
    expect((await page()).value('tributary_runs_total')).toBe(0);
  });
});
