import { until } from '../../support/until.ts';
import type { Service } from '../../support/service.ts';
import { epochMs } from './epoch-ms.ts';
import { eventText } from './event-text.ts';
import { RawClient } from './raw-http.ts';

/** A program under load: it delivers the event of each request to its webhooks. */
export interface LoadedProgram {
  readonly service: Pick<Service, 'process' | 'ingress'>;
  /** Paths of the endpoints, used in turn. */
  readonly paths: readonly string[];
  /** Deliveries that each request leads to. */
  readonly webhooks: number;
  /** Told of each delivery: when its event was due (see {@link eventText}) and when it arrived, epoch ms. */
  onDelivery: (dueAt: number, arrivedAt: number) => void;
  stop(): Promise<void>;
}

export interface ClosedLoopOptions {
  /** Clients that each send their next request when the last one is answered. */
  connections?: number;
  /**
   * Events that may be accepted and not delivered yet. The service accepts faster than it delivers: without a limit a
   * round of 30 s would measure a backlog that grows.
   */
  underWay?: number;
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

/** As fast as the service answers and delivers; over once the last delivery has arrived. */
export async function closedLoop(
  program: LoadedProgram,
  { connections = 32, underWay = 1_000, seconds, text }: ClosedLoopOptions,
): Promise<Measured> {
  const { paths, service, webhooks } = program;
  const clients = Array.from({ length: connections }, () => new RawClient(service.ingress));
  const latencies: number[] = [];
  let events = 0;
  const waiting: (() => void)[] = [];
  const hasRoom = () => events - latencies.length / webhooks < underWay;
  program.onDelivery = (sentAt, arrivedAt) => {
    latencies.push(arrivedAt - sentAt);
    if (hasRoom()) waiting.pop()?.();
  };
  const startedAt = Date.now();
  const send = async (client: RawClient) => {
    while (Date.now() - startedAt < seconds * 1000) {
      if (!hasRoom()) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        continue;
      }
      const path = paths[events++ % paths.length] ?? '/';
      const status = await client.post(path, eventText(epochMs(), text));
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

/** The value below which a share of sorted values lies, rounded to a tenth. */
export const quantile = (sorted: Float64Array, share: number): number =>
  Math.round((sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0) * 10) / 10;
