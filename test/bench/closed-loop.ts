import { until } from '../support/until.ts';
import { eventText, type Pipeline } from './pipeline.ts';
import { RawClient } from './raw-http.ts';

export interface ClosedLoopOptions {
  /** Clients that each send their next request when the last one is answered. */
  connections?: number;
  /** Requests go out for so long; then what is under way is waited for. */
  seconds: number;
  /** JSON of the event's text. */
  text: string;
}

export interface Measured {
  events: number;
  seconds: number;
  /** From a request's start to its delivery, in ms, sorted. */
  latencies: Float64Array;
}

/** As fast as the service answers; over once the last delivery has arrived. */
export async function closedLoop(
  pipeline: Pipeline,
  { connections = 32, seconds, text }: ClosedLoopOptions,
): Promise<Measured> {
  const { paths, service, webhooks } = pipeline;
  const clients = Array.from({ length: connections }, () => new RawClient(service.origin));
  const latencies: number[] = [];
  pipeline.onDelivery = (sentAt, arrivedAt) => latencies.push(arrivedAt - sentAt);
  const startedAt = Date.now();
  let events = 0;
  const send = async (client: RawClient) => {
    while (Date.now() - startedAt < seconds * 1000) {
      const path = paths[events++ % paths.length] ?? '/';
      const status = await client.post(path, eventText(Date.now(), text));
      if (status !== 200) throw new Error(`The endpoint answered ${status}`);
    }
  };
  try {
    await Promise.all(clients.map(send));
    await until('everything is delivered', () => latencies.length >= events * webhooks, {
      withinMs: 120_000,
    });
    return {
      events,
      seconds: (Date.now() - startedAt) / 1000,
      latencies: Float64Array.from(latencies).sort(),
    };
  } finally {
    for (const client of clients) client.close();
  }
}

/** The value below which a share of sorted values lies. */
export const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
