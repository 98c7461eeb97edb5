import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { asItIs, type LoadedProgram, type Measured } from './closed-loop.ts';
import { epochMs } from './epoch-ms.ts';
import { eventText } from './event-text.ts';
import { isSuccess, RawClient } from './raw-http.ts';

/** Requests start in steps of this duration. */
const STEP_MS = 1;
/** A request that finds all of them busy waits, and its wait counts. */
const CONNECTIONS = 128;

/** The service may close a kept connection while the next request is on its way. */
const NOT_ANSWERED = 0;

export interface OpenLoop {
  /** Requests whose time came. */
  readonly due: number;
  readonly answered: number;
  /** From the time at which each request was due to its response, in ms. */
  readonly answeredAfter: readonly number[];
  /**
   * Requests that were answered with another status than 2xx, by status; {@link NOT_ANSWERED} for those whose
   * connection ended.
   */
  readonly refused: ReadonlyMap<number, number>;
  /** Ends the sending; resolves when every request is answered. */
  stop(): Promise<void>;
}

/**
 * Sends at a fixed rate, however fast the service answers. Each event carries the time at which it was due, not the one
 * at which a connection was free: otherwise a service that stands still for a second would look as fast as before.
 */
export function openLoop(
  program: Pick<LoadedProgram, 'paths' | 'ingress' | 'headers' | 'bodyOf'>,
  rate: number,
  text: string,
): OpenLoop {
  const { paths, bodyOf = asItIs } = program;
  const idle = Array.from({ length: CONNECTIONS }, () => new RawClient(program));
  const all = [...idle];
  const refused = new Map<number, number>();
  const startedAt = epochMs();
  let due = 0;
  let started = 0;
  let answered = 0;
  const answeredAfter: number[] = [];
  let ended: (() => void) | undefined;

  const dueAt = (n: number) => startedAt + ((n + 1) * 1000) / rate;

  function sendWaiting(): void {
    while (started < due) {
      const client = idle.pop();
      if (!client) return;
      const n = started++;
      const posted = client.post(paths[n % paths.length] ?? '/', bodyOf(eventText(dueAt(n), text)));
      void posted
        .catch(() => NOT_ANSWERED)
        .then((status) => {
          answered += 1;
          answeredAfter.push(epochMs() - dueAt(n));
          if (!isSuccess(status)) refused.set(status, (refused.get(status) ?? 0) + 1);
          idle.push(client);
          sendWaiting();
          if (answered === due) ended?.();
        });
    }
  }

  const timer = setInterval(() => {
    due = Math.floor(((epochMs() - startedAt) * rate) / 1000);
    sendWaiting();
  }, STEP_MS);

  return {
    get due() {
      return due;
    },
    get answered() {
      return answered;
    },
    answeredAfter,
    refused,
    async stop() {
      clearInterval(timer);
      if (answered < due) await new Promise<void>((resolve) => (ended = resolve));
      for (const client of all) client.close();
    },
  };
}

/** Sends at a fixed rate for some seconds; over once the last delivery has arrived. */
export async function measuredAtRate(
  program: LoadedProgram,
  { rate, seconds, text }: { rate: number; seconds: number; text: string },
): Promise<Measured> {
  const latencies: number[] = [];
  program.onDelivery = (dueAt, arrivedAt) => latencies.push(arrivedAt - dueAt);
  const load = openLoop(program, rate, text);
  await delay(seconds * 1000);
  await load.stop();
  const isDelivered = () => latencies.length >= load.due * program.webhooks;
  await until(`the ${load.due} events at ${rate} a second are delivered`, isDelivered, { withinMs: 180_000 });
  return { events: load.due, seconds, latencies: Float64Array.from(latencies).sort() };
}
