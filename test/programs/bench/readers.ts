import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { TEST_KEY } from '../../support/service.ts';
import { quantile } from './closed-loop.ts';
import { openLoop } from './open-loop.ts';
import { type Pipeline, startPipeline } from './pipeline.ts';

export interface ReadersRow {
  readers: number;
  'events/s': number;
  refused: number;
  /** Responses to the readers. */
  reads: number;
  'p50 ms': number;
  'p99 ms': number;
  'longest ms': number;
}

const SOURCES = 4;
const TEXT = JSON.stringify('x'.repeat(100));
const WARM_UP_SECONDS = 20;
const List = z.object({ data: z.array(z.object({ id: z.string() })) });

/** From the moment when a request is due to its response, while clients read lists and pages without a pause. */
export async function readers(options: { rate: number; seconds: number; readers: number }): Promise<ReadersRow> {
  const { rate, seconds, readers: count } = options;
  const pipeline = await startPipeline({ sources: SOURCES });
  try {
    const warmUp = openLoop(pipeline, rate, TEXT);
    await delay(WARM_UP_SECONDS * 1_000);
    await warmUp.stop();
    const stop = new AbortController();
    const paths = await pathsOf(pipeline);
    const reading = Array.from({ length: count }, (_, first) => readAll(pipeline, { paths, first, stop: stop.signal }));
    const load = openLoop(pipeline, rate, TEXT);
    await delay(seconds * 1_000);
    await load.stop();
    stop.abort();
    const reads = (await Promise.all(reading)).reduce((sum, one) => sum + one, 0);
    const latencies = Float64Array.from(load.answeredAfter).sort();
    const [p50 = 0, p99 = 0, longest = 0] = [0.5, 0.99, 1].map((share) => quantile(latencies, share));
    const refused = [...load.refused.values()].reduce((sum, one) => sum + one, 0);
    return { readers: count, 'events/s': rate, refused, reads, 'p50 ms': p50, 'p99 ms': p99, 'longest ms': longest };
  } finally {
    await pipeline.stop();
  }
}

/** Paths that the console and the command line read. */
async function pathsOf(pipeline: Pipeline): Promise<string[]> {
  const idsOf = async (path: string) => List.parse(JSON.parse(await read(pipeline, path))).data.map(({ id }) => id);
  const sources = await idsOf('/users/me/sources');
  const webhooks = await idsOf('/users/me/webhooks');
  return [
    ...['sources', 'webhooks', 'subscriptions'].map((list) => `/users/me/${list}?limit=100`),
    ...sources.flatMap((id) => [
      `/sources/${id}`,
      `/sources/${id}/events?limit=100`,
      `/sources/${id}/event_summaries?limit=100`,
      `/sources/${id}/event_summaries?expand=event&limit=100`,
    ]),
    ...webhooks.map((id) => `/webhooks/${id}/deliveries?limit=100`),
  ];
}

async function readAll(
  pipeline: Pipeline,
  { paths, first, stop }: { paths: readonly string[]; first: number; stop: AbortSignal },
): Promise<number> {
  let reads = 0;
  for (let next = first; !stop.aborted; next += 1) {
    await read(pipeline, paths[next % paths.length] ?? '/');
    reads += 1;
  }
  return reads;
}

async function read({ service }: Pipeline, path: string): Promise<string> {
  const response = await fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${TEST_KEY}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${text}`);
  return text;
}
