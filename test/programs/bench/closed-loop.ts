import { until } from '../../support/until.ts';
import { epochMs } from './epoch-ms.ts';
import { eventText } from './event-text.ts';
import type { MeasuredProcess } from './process-measurements.ts';
import { isSuccess, RawClient } from './raw-http.ts';

/** A program under load: it delivers the event of each request to its webhooks. */
export interface LoadedProgram {
  /** Its processes; those that they start are found. */
  readonly processes: readonly MeasuredProcess[];
  readonly ingress: string;
  /** Paths of the endpoints, used in turn. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes the body of a request from an event. By default it is the event. */
  readonly bodyOf?: (event: string) => string;
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
  const { paths, webhooks, bodyOf = asItIs } = program;
  const clients = Array.from({ length: connections }, () => new RawClient(program));
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
      const status = await client.post(path, bodyOf(eventText(epochMs(), text)));
      if (!isSuccess(status)) throw new Error(`The endpoint answered ${status}`);
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

export const asItIs = (event: string) => event;

/** The value below which a share of sorted values lies, rounded to a tenth. */
export const quantile = (sorted: Float64Array, share: number): number =>
  Math.round((sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0) * 10) / 10;
