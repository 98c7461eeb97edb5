import * as z from 'zod';
import type { EmitterId } from '../../domain/id.ts';
import { Trigger } from '../../domain/run/message.ts';
import { messageText } from '../../domain/run/message-text.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { LONGEST_WAIT_MS } from '../../domain/run/backlog-limits.ts';
import { batchWrite, puts, removals } from '../table/batch-write.ts';
import { emitterPartition, WAITING_PREFIXES, type WaitingRank, waitingKey } from '../table/keys.ts';
import { keysBetween, queryPage, type TableOptions } from '../table/table-client.ts';

export interface NewWaiting {
  rank: Exclude<WaitingRank, 'kept'>;
  /** Its number in the queue, as `padded` makes it. */
  sequence: string;
  /** Time at which the queue accepted it, epoch ms. */
  sentAt: number;
  /** The time of the event ids of an attempt that failed before it was moved, epoch ms. */
  attemptMs?: number | undefined;
  trigger: Trigger;
  /** Key and bytes of the object with its payload, if that is not in the item. */
  object?: { key: string; bytes: number } | undefined;
}

export interface WaitingTrigger {
  rank: WaitingRank;
  sequence: string;
  /** Undefined for a trigger that an earlier release stored. */
  sentAt: number | undefined;
  /** The time of the event ids of an attempt that failed before it was moved, epoch ms. */
  attemptMs: number | undefined;
  /** Undefined when this release cannot read it. */
  trigger: Trigger | undefined;
  json: string;
  /** Bytes of the item and of the object. */
  bytes: number;
  objectKey: string | undefined;
}

const WaitingItem = z.object({
  sk: z.string(),
  json: z.string(),
  bytes: z.number(),
  at: z.number().optional(),
  fm: z.number().optional(),
  ok: z.string().optional(),
});

/** A trigger that is not read for this long, because its source is off, is removed without its event on `$errors`. */
const LIFETIME_MS = LONGEST_WAIT_MS + DAY_MS;

/** Longer than any sequence number. */
const END = '~';

export type WaitingTriggerStore = ReturnType<typeof waitingTriggers>;

/** The triggers of backlogs. A trigger that is stored twice is stored once. */
export function waitingTriggers(table: TableOptions) {
  async function read(
    emitterId: EmitterId,
    { from, to, limit }: { from: string; to: string; limit: number },
  ): Promise<WaitingTrigger[]> {
    const query = { ...keysBetween(emitterPartition(emitterId), from, to), Limit: limit };
    return (await queryPage(table, query)).map(fromItem);
  }

  return {
    /** Stores triggers, ten by one request. Returns the bytes of each. */
    async put(emitterId: EmitterId, waiting: readonly NewWaiting[]): Promise<number[]> {
      const items = waiting.map((each) => toItem(emitterId, each));
      await batchWrite(table, puts(items));
      return items.map(({ bytes }) => bytes);
    },

    /** Updates and deletions, oldest first. */
    first: (emitterId: EmitterId, limit: number): Promise<WaitingTrigger[]> =>
      read(emitterId, {
        from: WAITING_PREFIXES.first,
        to: `${WAITING_PREFIXES.first}${END}`,
        limit,
      }),

    /** The other triggers up to this sequence number, oldest first, after those that earlier releases stored. */
    next: (emitterId: EmitterId, { last, limit }: { last: string; limit: number }): Promise<WaitingTrigger[]> =>
      read(emitterId, {
        from: WAITING_PREFIXES.kept,
        to: `${WAITING_PREFIXES.next}${last}`,
        limit,
      }),

    async remove(emitterId: EmitterId, waiting: readonly Pick<WaitingTrigger, 'rank' | 'sequence'>[]): Promise<void> {
      const keys = waiting.map(({ rank, sequence }) => waitingKey(emitterId, rank, sequence));
      await batchWrite(table, removals(keys));
    },
  };
}

function toItem(emitterId: EmitterId, { rank, sequence, sentAt, attemptMs, trigger, object }: NewWaiting) {
  const json = messageText(trigger);
  return {
    ...waitingKey(emitterId, rank, sequence),
    json,
    bytes: Buffer.byteLength(json) + (object?.bytes ?? 0),
    at: sentAt,
    fm: attemptMs,
    ok: object?.key,
    // Updates and deletions never expire.
    ...(rank === 'first' ? {} : { expiresAt: Math.ceil((sentAt + LIFETIME_MS) / 1_000) }),
  };
}

function fromItem(item: unknown): WaitingTrigger {
  const { sk, json, bytes, at, fm, ok } = WaitingItem.parse(item);
  const rank = rankOf(sk);
  return {
    rank,
    sequence: sk.slice(WAITING_PREFIXES[rank].length),
    sentAt: at,
    attemptMs: fm,
    trigger: triggerOf(json),
    json,
    bytes,
    objectKey: ok,
  };
}

const rankOf = (sk: string): WaitingRank => {
  if (sk.startsWith(WAITING_PREFIXES.first)) return 'first';
  return sk.startsWith(WAITING_PREFIXES.kept) ? 'kept' : 'next';
};

function triggerOf(json: string): Trigger | undefined {
  try {
    return Trigger.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
