import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import type { LoadedProgram } from './closed-loop.ts';
import { dueAtIn } from './event-text.ts';
import { startSink } from './raw-http.ts';

const component = `export default {
  name: 'Bench', version: '0.0.1', props: { http: '$.interface.http' },
  run(event) { this.$emit(event.body); },
};`;

const Created = z.object({ data: z.looseObject({ id: z.string() }) });
const Endpoint = z.object({ configured_props: z.object({ http: z.object({ endpoint_url: z.string() }) }) });

export interface PipelineOptions {
  sources?: number;
  webhooks?: number;
  /** URLs of further webhooks, whose deliveries are not counted. */
  urls?: readonly string[];
  nodeArguments?: readonly string[];
  /** Another Node than that of this process. */
  node?: string;
  /** Starts another version of the service. */
  start?: (dataDir: string) => Promise<Service>;
}

/** A service whose sources emit the bodies of their requests to webhooks in this process. */
export interface Pipeline extends LoadedProgram {
  readonly service: Service;
}

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

/** Starts a service, its sources and its webhooks: HTTP in → user code → stored → signed webhook out. */
export async function startPipeline(options: PipelineOptions = {}): Promise<Pipeline> {
  const { sources = 1, webhooks = 1, urls = [], nodeArguments = [], node } = options;
  const { start = (dataDir) => startService({ dataDir, readyWithinMs: 120_000, nodeArguments, node }) } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const sink = await startSink();
  const service = await start(dataDir);
  const stop = async () => {
    await stopService(service);
    sink.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const made = await Promise.all(
      Array.from({ length: sources }, () => post(service, '/sources', { component_code: component })),
    );
    const counted = Array.from({ length: webhooks }, (_, n) => `${sink.url}/${n}`);
    for (const url of [...counted, ...urls]) {
      const { id } = await post(service, `/webhooks?url=${encodeURIComponent(url)}`);
      for (const source of made) await post(service, `/subscriptions?emitter_id=${source.id}&listener_id=${id}`);
    }
    const pipeline: Pipeline = {
      service,
      processes: [service],
      ingress: service.ingress,
      paths: made.map((source) => new URL(Endpoint.parse(source).configured_props.http.endpoint_url).pathname),
      webhooks,
      onDelivery: () => undefined,
      stop,
    };
    sink.onBody = (body, arrivedAt) => {
      pipeline.onDelivery(dueAtIn(body), arrivedAt);
    };
    return pipeline;
  } catch (error) {
    await stop();
    throw error;
  }
}
