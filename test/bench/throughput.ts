import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import * as z from 'zod';
import { Receiver } from '../support/receiver.ts';
import { type Service, TEST_KEY, startService, stopService } from '../support/service.ts';
import { until } from '../support/until.ts';

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
  const receiver = await Receiver.start();
  const service = await startService({ dataDir, readyWithinMs: 120_000, nodeArguments });
  try {
    const made = await Promise.all(
      Array.from({ length: sources }, () => post(service, '/sources', { component_code: component })),
    );
    const paths = made.map(
      (source) => new URL(Endpoint.parse(source).configured_props.http.endpoint_url).pathname,
    );
    for (let n = 0; n < webhooks; n += 1) {
      const { id } = await post(service, `/webhooks?url=${encodeURIComponent(`${receiver.url}/${n}`)}`);
      for (const source of made)
        await post(service, `/subscriptions?emitter_id=${source.id}&listener_id=${id}`);
    }
    const pool = new Pool(service.origin, { connections });
    const run = async (count: number) => {
      const latencies: number[] = [];
      receiver.received.length = 0;
      receiver.onReceived = ({ body, at }) => latencies.push(at - (JSON.parse(body) as { at: number }).at);
      const startedAt = Date.now();
      let next = 0;
      const client = async () => {
        while (next < count) {
          const n = next++;
          const { statusCode, body } = await pool.request({
            method: 'POST',
            path: paths[n % paths.length] ?? '/',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ n, at: Date.now(), text: 'x'.repeat(100) }),
          });
          await body.dump();
          if (statusCode !== 200) throw new Error(`The endpoint answered ${statusCode}`);
        }
      };
      await Promise.all(Array.from({ length: connections }, client));
      await until('everything is delivered', () => latencies.length >= count * webhooks, {
        withinMs: 120_000,
      });
      return { seconds: (Date.now() - startedAt) / 1000, latencies: latencies.sort((a, b) => a - b) };
    };
    await run(Math.min(events, 10_000));
    const before = processorMs(service);
    const { seconds, latencies } = await run(events);
    const processorUs = Math.round(((processorMs(service) - before) * 1000) / events);
    await pool.destroy();
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
    await receiver.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
