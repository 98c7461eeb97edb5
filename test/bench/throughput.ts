import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type Service, TEST_KEY, startService, stopService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { RawClient, startSink } from './raw-http.ts';

const component = `export default {
  name: 'Bench', version: '0.0.1', props: { http: '$.interface.http' },
  run(event) { this.$emit(event.body); },
};`;

export interface Throughput {
  sources: number;
  webhooks: number;
  events: number;
  eventsPerSecond: number;
  deliveriesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of the service's own process per event, in µs: says more than seconds on a busy machine. */
  processorUs: number;
  residentMb: number;
}

const Created = z.object({ data: z.looseObject({ id: z.string() }) });
const Sent = z.object({ at: z.number() });
const Endpoint = z.object({ configured_props: z.object({ http: z.object({ endpoint_url: z.string() }) }) });

async function post(service: Service, path: string, body?: unknown) {
  const response = await fetch(`${service.base}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
  return Created.parse(JSON.parse(text)).data;
}

/** Processor time that the service's own process has used, its threads included, in ms (Linux: ticks of 10 ms). */
export function processorMs(service: Service): number {
  const stat = readFileSync(`/proc/${service.process.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Memory of the service's own process, in MB. */
export function residentMb(service: Service): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** HTTP in → user code → stored → signed webhook out: from the first request until the last delivery has arrived. */
export async function throughput({
  sources = 1,
  webhooks = 1,
  events = 20_000,
  connections = 32,
  nodeArguments = [] as string[],
}): Promise<Throughput> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const sink = await startSink();
  const service = await startService({ dataDir, readyWithinMs: 120_000, nodeArguments });
  try {
    const made = await Promise.all(
      Array.from({ length: sources }, () => post(service, '/sources', { component_code: component })),
    );
    const paths = made.map(
      (source) => new URL(Endpoint.parse(source).configured_props.http.endpoint_url).pathname,
    );
    for (let n = 0; n < webhooks; n += 1) {
      const { id } = await post(service, `/webhooks?url=${encodeURIComponent(`${sink.url}/${n}`)}`);
      for (const source of made)
        await post(service, `/subscriptions?emitter_id=${source.id}&listener_id=${id}`);
    }
    const clients = Array.from({ length: connections }, () => new RawClient(service.origin));
    const run = async (count: number) => {
      const latencies: number[] = [];
      sink.onBody = (body, at) => latencies.push(at - Sent.parse(JSON.parse(body)).at);
      const startedAt = Date.now();
      let next = 0;
      const send = async (client: RawClient) => {
        while (next < count) {
          const n = next++;
          const event = { n, at: Date.now(), text: 'x'.repeat(100) };
          const status = await client.post(paths[n % paths.length] ?? '/', JSON.stringify(event));
          if (status !== 200) throw new Error(`The endpoint answered ${status}`);
        }
      };
      await Promise.all(clients.map(send));
      await until('everything is delivered', () => latencies.length >= count * webhooks, {
        withinMs: 120_000,
      });
      return { seconds: (Date.now() - startedAt) / 1000, latencies: latencies.sort((a, b) => a - b) };
    };
    await run(Math.min(events, 10_000));
    const before = processorMs(service);
    const { seconds, latencies } = await run(events);
    const processorUs = Math.round(((processorMs(service) - before) * 1000) / events);
    for (const client of clients) client.close();
    return {
      sources,
      webhooks,
      events,
      eventsPerSecond: Math.round(events / seconds),
      deliveriesPerSecond: Math.round((events * webhooks) / seconds),
      p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
      p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
      processorUs,
      residentMb: residentMb(service),
    };
  } finally {
    await stopService(service);
    sink.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
