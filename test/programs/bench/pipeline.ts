import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { startSink } from './raw-http.ts';

const component = `export default {
  name: 'Bench', version: '0.0.1', props: { http: '$.interface.http' },
  run(event) { this.$emit(event.body); },
};`;

const Created = z.object({ data: z.looseObject({ id: z.string() }) });
const Endpoint = z.object({ configured_props: z.object({ http: z.object({ endpoint_url: z.string() }) }) });
const SENT_AT = /"at":([\d.]+)/;

export interface PipelineOptions {
  sources?: number;
  webhooks?: number;
  /** URLs of further webhooks, whose deliveries are not counted. */
  urls?: readonly string[];
  nodeArguments?: readonly string[];
}

/** A service whose sources emit the bodies of their requests to webhooks in this process. */
export interface Pipeline {
  readonly service: Service;
  /** Paths of the sources' endpoints, used in turn. */
  readonly paths: readonly string[];
  /** Deliveries that each request leads to. */
  readonly webhooks: number;
  /** Told of each delivery: when its event was due (see {@link eventText}) and when it arrived, epoch ms. */
  onDelivery: (dueAt: number, arrivedAt: number) => void;
  stop(): Promise<void>;
}

/** The body of a request: `at` comes first, so that a delivery is read in a moment, however long its text. */
export const eventText = (at: number, text: string): string => `{"at":${at},"text":${text}}`;

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
  const { sources = 1, webhooks = 1, urls = [], nodeArguments = [] } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const sink = await startSink();
  const service = await startService({ dataDir, readyWithinMs: 120_000, nodeArguments });
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
      for (const source of made)
        await post(service, `/subscriptions?emitter_id=${source.id}&listener_id=${id}`);
    }
    const pipeline: Pipeline = {
      service,
      paths: made.map(
        (source) => new URL(Endpoint.parse(source).configured_props.http.endpoint_url).pathname,
      ),
      webhooks,
      onDelivery: () => undefined,
      stop,
    };
    sink.onBody = (start, arrivedAt) => {
      pipeline.onDelivery(Number(SENT_AT.exec(start)?.[1]), arrivedAt);
    };
    return pipeline;
  } catch (error) {
    await stop();
    throw error;
  }
}
