import { billedMs } from '../costs/model.ts';
import { Station } from './station.ts';

/** Assumed, as `infra/capacity.ts` does: code of the component for each event, and receive and end of a batch. */
export const CODE_MS = 4.75;
export const BATCH_MS = 12.5;
/** Messages of a batch of both queues. */
export const BATCH = 10;

/** ms from the receive of a batch of one source to its end. */
export const runMs = (messages: number, codeMs = CODE_MS): number =>
  billedMs('run-source', messages) + billedMs('runner', messages) + codeMs * messages + BATCH_MS;
const deliveryMs = (messages: number): number => billedMs('deliver-event', messages) + BATCH_MS;

/** Requests per second for some time. */
interface Phase {
  readonly rate: number;
  readonly seconds: number;
}

export interface FlowOptions {
  readonly phases: readonly Phase[];
  /** Endpoints that share the requests evenly. */
  readonly sources: number;
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** `concurrency` of a stage. */
  readonly concurrency: {
    readonly runs: number;
    readonly runnersPerBatch: number;
    readonly deliveries: number;
  };
}

export interface Flow {
  readonly accepted: number;
  /** 429 of the throttle. */
  readonly refused: number;
  readonly delivered: number;
  /** Sum over all milliseconds of the events that were accepted and not delivered. */
  readonly inSystemMs: number;
  readonly endedAtMs: number;
  /** Sum of the times from request to delivery. */
  readonly waitedMs: number;
  readonly longestMs: number;
  readonly runs: Station;
  readonly deliveries: Station;
}

const SECOND = 1_000;

/** Follows each event from its request to its webhook on a virtual clock. The same options give the same result. */
export function simulateFlow({ phases, sources, throttle, concurrency }: FlowOptions): Flow {
  const { runs: batches, runnersPerBatch, deliveries: instances } = concurrency;
  // A batch of several sources starts a runner for each, up to `runnersPerBatch`.
  const runs = new Station({ servers: batches * runnersPerBatch, lanes: sources, batch: BATCH, msOf: runMs });
  const deliveries = new Station({
    servers: instances,
    lanes: 1,
    batch: BATCH,
    msOf: deliveryMs,
    isShared: true,
  });
  const arrivals = arrivalsOf(phases);
  const end = phases.reduce((total, { seconds }) => total + seconds, 0) * SECOND;
  let tokens = throttle.burst;
  let [accepted, refused, delivered, inSystemMs, waitedMs, longestMs, at] = [0, 0, 0, 0, 0, 0, 0];
  for (; at < end || delivered < accepted; at += 1) {
    for (let due = arrivals(at); due > 0; due -= 1) {
      if (tokens < 1 - 1e-6) {
        refused += 1;
        continue;
      }
      tokens -= 1;
      runs.add(accepted % sources, at);
      accepted += 1;
    }
    tokens = Math.min(throttle.burst, tokens + throttle.rate / SECOND);
    for (const requestedAt of runs.advance(at)) deliveries.add(0, requestedAt);
    for (const requestedAt of deliveries.advance(at)) {
      delivered += 1;
      waitedMs += at - requestedAt;
      longestMs = Math.max(longestMs, at - requestedAt);
    }
    inSystemMs += accepted - delivered;
  }
  return { accepted, refused, delivered, inSystemMs, endedAtMs: at, waitedMs, longestMs, runs, deliveries };
}

/** The number of requests in each millisecond, spread evenly. */
function arrivalsOf(phases: readonly Phase[]): (at: number) => number {
  const starts = phases.map((_, n) => phases.slice(0, n).reduce((total, { seconds }) => total + seconds, 0) * SECOND);
  return (at) => {
    const n = starts.findLastIndex((start) => start <= at);
    const [start = 0, phase] = [starts[n], phases[n]];
    if (!phase || at >= start + phase.seconds * SECOND) return 0;
    const until = (time: number) => Math.floor(((time - start) * phase.rate) / SECOND + 1e-9);
    return until(at + 1) - until(at);
  };
}
