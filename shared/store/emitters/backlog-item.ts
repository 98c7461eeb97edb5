import * as z from 'zod';
import type { EmitterId } from '../../domain/id.ts';
import { drainedKey } from '../table/keys.ts';

/**
 * The progress of the source's message group, which moves triggers to the backlog; only that group writes it. The
 * backlog exists as long as this item.
 */
const MovedItem = z.object({
  /** Names the backlog: the sequence number of its first trigger. */
  id: z.string(),
  ls: z.string(),
  cn: z.number().default(0),
  by: z.number().default(0),
  /** The queue of that trigger, and how many queues the backlog had before. */
  qu: z.string(),
  qn: z.number().default(0),
  /** The last timer tick that was stored: its sequence number, and the generation of its timer. */
  ts: z.string().optional(),
  tg: z.number().optional(),
});

/**
 * The progress of the backlog's own message group, which executes its triggers; only that group writes it. An item of
 * another backlog is void.
 */
const DrainedItem = z.object({
  id: z.string(),
  ch: z.string(),
  ps: z.string(),
  cn: z.number(),
  by: z.number(),
  at: z.number(),
  wa: z.boolean().optional(),
  dp: z.number().default(0),
  fm: z.number(),
  dt: z.object({ until: z.string(), count: z.number() }).optional(),
  fl: z.object({ sequence: z.string(), attempts: z.number(), retryAt: z.number() }).optional(),
  un: z.number().default(0),
});

/** The triggers that were moved to a backlog. Sequence numbers have the fixed length of {@link padded}. */
export interface Moved {
  /** Names the backlog: the sequence number of its first trigger. */
  id: string;
  last: string;
  /** The queue from which it came, and the number of queues before: restored data has another one. */
  queue: string;
  queueNumber: number;
  /** Triggers that were ever moved, without updates and deletions. */
  count: number;
  /** Bytes of their items and of the objects that belong to these. */
  bytes: number;
  /** The last timer tick among them. */
  tick?: { sequence: string; generation: number } | undefined;
}

/** How far a backlog has been executed. */
export interface Drained {
  id: string;
  /** The chain of messages that executes it; messages of another chain execute only updates and deletions. */
  chain: string;
  /** Every trigger up to this sequence number is counted in `count`. */
  position: string;
  count: number;
  bytes: number;
  /** Time of this progress, epoch ms. */
  at: number;
  /**
   * The time of the next event ids, epoch ms: an attempt that is repeated stores the same events under the same ids.
   */
  firstMs: number;
  /**
   * Triggers after the position, at most, whose events an attempt may have stored under that time without saving its
   * results.
   */
  unsaved: number;
  /** The chain has ended, because the source is off or its owner is suspended. */
  isWaiting?: boolean | undefined;
  /** Triggers that were dropped after {@link LONGEST_WAIT_MS}, and not reported yet. */
  dropped: number;
  /** The owner has them dropped: triggers up to this sequence number, and how many were until now. */
  deletion?: { until: string; count: number } | undefined;
  failed?: FailedTrigger | undefined;
}

export interface FailedTrigger {
  sequence: string;
  attempts: number;
  /** Earliest time of the next attempt, epoch ms. */
  retryAt: number;
}

export interface Backlog {
  moved: Moved;
  /** Undefined until a message has begun to execute it. */
  drained?: Drained | undefined;
}

/** Triggers that wait in a backlog, without updates and deletions, and their bytes. */
export interface Waiting {
  count: number;
  bytes: number;
}

/** Longer than a sequence number of SQS, which has 128 bits. */
const SEQUENCE_DIGITS = 39;
const QUEUE_DIGITS = 2;
/** Sorts after all others. */
export const LAST_SEQUENCE = '9'.repeat(QUEUE_DIGITS + SEQUENCE_DIGITS);
/** A sequence number as a text that sorts like the number. Those of a later queue sort after all others. */
export const padded = (sequence: string, queueNumber = 0): string =>
  String(queueNumber).padStart(QUEUE_DIGITS, '0') + sequence.padStart(SEQUENCE_DIGITS, '0');

/** The queue and the sequence number of a trigger. Numbers of different queues are not comparable. */
export function fromPadded(
  text: string,
  { queue, queueNumber }: Pick<Moved, 'queue' | 'queueNumber'>,
): { queue: string; sequence: string } {
  const number = Number(text.slice(0, QUEUE_DIGITS));
  return {
    queue: number === queueNumber ? queue : `earlier queue ${number}`,
    sequence: String(BigInt(text.slice(QUEUE_DIGITS))),
  };
}

/** The backlog of an emitter, from the items of its partition; undefined when it has none. */
export function backlogOf(items: { moved: unknown; drained: unknown }): Backlog | undefined {
  if (items.moved === undefined) return undefined;
  const { id, ls, cn, by, qu, qn, ts, tg } = MovedItem.parse(items.moved);
  const moved: Moved = {
    id,
    last: ls,
    queue: qu,
    queueNumber: qn,
    count: cn,
    bytes: by,
    tick: ts === undefined || tg === undefined ? undefined : { sequence: ts, generation: tg },
  };
  const drained = items.drained === undefined ? undefined : drainedOf(items.drained);
  return { moved, drained: drained?.id === id ? drained : undefined };
}

const drainedOf = (item: unknown): Drained => {
  const { id, ch, ps, cn, by, at, wa, dp, fm, dt, fl, un } = DrainedItem.parse(item);
  return {
    id,
    chain: ch,
    position: ps,
    count: cn,
    bytes: by,
    at,
    isWaiting: wa,
    dropped: dp,
    firstMs: fm,
    unsaved: un,
    deletion: dt,
    failed: fl,
  };
};

/** Attributes that are undefined are not written. */
export const toDrainedItem = (
  emitterId: EmitterId,
  { id, chain, position, count, bytes, at, isWaiting, dropped, firstMs, unsaved, deletion, failed }: Drained,
) => ({
  ...drainedKey(emitterId),
  id,
  ch: chain,
  ps: position,
  cn: count,
  by: bytes,
  at,
  wa: isWaiting,
  dp: dropped || undefined,
  fm: firstMs,
  un: unsaved || undefined,
  dt: deletion,
  fl: failed,
});

/** The triggers that wait. Never less than 0: both counters are read at slightly different times. */
export const waitingIn = ({ moved, drained }: Backlog): Waiting => ({
  count: Math.max(0, moved.count - (drained?.count ?? 0)),
  bytes: Math.max(0, moved.bytes - (drained?.bytes ?? 0)),
});
