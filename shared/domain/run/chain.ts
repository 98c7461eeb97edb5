import * as z from 'zod';
import { type EmitterId, isSourceId, SourceId } from '../id.ts';
import { ERRORS_STREAM, LOGS_STREAM, type StreamName } from '../event/stream.ts';
import { newTrace, Trace } from '../event/trace.ts';

/** Limit for chains of sources that listen to each other. */
export const MAX_HOPS = 16;
/** Times that one chain may pass the same source. */
const MAX_PASSES = 2;
/** Runs of listening sources that one trigger may cause, directly and through other sources. */
export const MAX_CHAIN_RUNS = 1_000;
/** Part of a chain's runs for listeners of `$errors` and `$logs`, when the run emits other events too. */
const REPORTS_PART = 1 / 16;

/**
 * The ancestry of an event. Every message on its way has these fields: at most 1.2 KB, because `MAX_HOPS` limits them.
 */
export const chainFields = {
  hops: z.number().int(),
  /** Ids of the sources that ran before this message's emitter, oldest first. Absent at the beginning of a chain. */
  passed: z.array(SourceId).optional(),
  /**
   * Runs that may follow on this branch of the chain. Each branching divides them, so that the sum needs no counter.
   * Absent: all of them. -1: the chain was cut here.
   */
  left: z.number().int().min(-1).optional(),
  /** Absent in a trigger whose request had none. */
  trace: Trace.optional(),
};
export type Chain = z.infer<z.ZodObject<typeof chainFields>>;

export const chainOf = ({ id, hops, passed, left, trace = newTrace(id) }: Chain & { id: string }): Chain => ({
  hops,
  ...(passed ? { passed } : {}),
  ...(left === undefined ? {} : { left }),
  trace,
});

const share = (left: number, { index, count }: { index: number; count: number }): number =>
  Math.floor(left / count) + (index < left % count ? 1 : 0);

const isReport = (stream: StreamName) => stream === ERRORS_STREAM || stream === LOGS_STREAM;

/** The chains of the events of one run, which share the runs that may follow. */
export function chainsOfEvents(chain: Chain, streams: readonly StreamName[]): Chain[] {
  const { left = MAX_CHAIN_RUNS } = chain;
  if (streams.length === 1 || left <= 0) return streams.map(() => chain);
  const reports = streams.filter(isReport).length;
  const emits = streams.length - reports;
  // At least one run may follow an error: without it no source could handle errors of a long chain.
  const round = streams.includes(ERRORS_STREAM) ? Math.ceil : Math.floor;
  const forReports = emits === 0 ? left : reports === 0 ? 0 : round(left * REPORTS_PART);
  const next = { report: 0, emit: 0 };
  return streams.map((stream) => {
    const own = isReport(stream)
      ? share(forReports, { index: next.report++, count: reports })
      : share(left - forReports, { index: next.emit++, count: emits });
    return { ...chain, left: own };
  });
}

/** The chain of an event that reports about a run after its end: the run's own events have the other runs. */
export const reportChainOf = ({ left = MAX_CHAIN_RUNS, ...chain }: Chain): Chain => ({
  ...chain,
  left: left <= 0 ? left : Math.floor(left * REPORTS_PART),
});

/** Rank of a source among the listeners of an event. A further page of listeners has the other half of the runs. */
export interface ListenerRank {
  index: number;
  count: number;
  hasNextPage: boolean;
}

/** The chain of a message for the next page of its event's listeners. */
export const chainOfNextPage = ({ left = MAX_CHAIN_RUNS, ...chain }: Chain): Chain => ({
  ...chain,
  left: left <= 0 ? left : Math.floor(left / 2),
});

/**
 * The chain after an event of the emitter was given to a listening source. However many runs a trigger's own events
 * start, each of these may be followed by a line of `MAX_HOPS` runs.
 */
export const nextChain = (chain: Chain, emitterId: EmitterId, rank: ListenerRank): Chain => {
  const { hops, passed = [], left = MAX_CHAIN_RUNS, trace } = chain;
  const next = isSourceId(emitterId) ? [...passed, emitterId] : passed;
  const own = share(rank.hasNextPage ? Math.ceil(left / 2) : left, rank);
  return {
    hops: hops + 1,
    ...(next.length > 0 ? { passed: next } : {}),
    left: (hops === 0 ? Math.max(own, MAX_HOPS) : own) - 1,
    ...(trace ? { trace } : {}),
  };
};

/** Why the emitter must not run for this chain. Undefined while it may. */
export function chainLimit({ hops, passed = [], left = 0 }: Chain, emitterId: EmitterId): string | undefined {
  if (hops > MAX_HOPS) return `A chain of sources was cut after ${MAX_HOPS} hops`;
  if (left < 0) {
    return (
      `A chain of sources was cut: one trigger may cause at most ${MAX_CHAIN_RUNS} runs of sources that listen to one another, divided ` +
      'among the branches of the chain. Delete one of the subscriptions that lead back to an earlier source, or emit fewer events'
    );
  }
  if (passed.filter((id) => id === emitterId).length < MAX_PASSES) return undefined;
  return (
    `A chain of sources was cut: its events reached ${emitterId} a third time. ` +
    'Delete one of the subscriptions that lead back to this source, or emit only when there is something new'
  );
}
