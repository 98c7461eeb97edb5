import * as z from 'zod';
import { type Activity, counterName, hourTextOf, PAYLOAD_BYTES, startOfMinute } from '../../domain/user/activity.ts';
import type { BillingPeriod } from '../../domain/user/billing-period.ts';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import type { UserId } from '../../domain/id.ts';
import { dayOf } from '../../domain/user/user.ts';
import { addOnce } from '../table/add-once.ts';
import { sharedRequests } from '../table/batched-reads.ts';
import { usageKey, userPartition } from '../table/keys.ts';
import { keysBetween, queryAll, type TableOptions } from '../table/table-client.ts';

/** Usage of a user's sources. */
export interface Usage {
  invocations: number;
  /** Run time in ms; at least 1 ms per run. */
  computeMs: number;
}

/** A batch of runs, with the events that it stored. */
interface BatchUsage extends Usage, Pick<Activity, 'events' | 'errors'> {
  /** Bytes of payloads that were too large for a message. */
  payloadBytes: number;
}

const NONE: BatchUsage = { invocations: 0, computeMs: 0, events: 0, errors: 0, payloadBytes: 0 };

export type UsageStore = ReturnType<typeof usageStore>;

/** Lifetime of an hour's usage: its billing period and the next one. */
const LIFETIME_MS = 63 * DAY_MS;
/** Sorts after all hours of a day. */
const END_OF_DAY = '~';

const Counter = z.number().default(0);
const UsageItem = z.object({ invocations: Counter, computeMs: Counter });

/**
 * One item per user and hour. It also counts runs, events and errors of each minute, so that activity costs no further
 * write.
 */
export function usageStore(table: TableOptions) {
  async function between(ownerId: UserId, first: string, last: string): Promise<Usage[]> {
    const hours = await queryAll(table, {
      ...keysBetween(userPartition(ownerId), usageKey(ownerId, first).sk, usageKey(ownerId, last).sk),
      ProjectionExpression: 'invocations, computeMs',
      ConsistentRead: false,
    });
    return hours.map((hour) => UsageItem.parse(hour));
  }

  const shared = sharedRequests<undefined>();
  /** The usage that the next write of a user and minute adds. */
  const waiting = new Map<string, BatchUsage>();

  async function write(ownerId: UserId, usage: BatchUsage, now: number): Promise<void> {
    const { invocations, computeMs, events, errors, payloadBytes } = usage;
    const added = [
      ['invocations', invocations],
      ['computeMs', computeMs],
      [PAYLOAD_BYTES, payloadBytes],
      [counterName('runs', now), invocations],
      [counterName('events', now), events],
      [counterName('errors', now), errors],
    ] as const;
    const counted = added.filter(([, count]) => count > 0);
    if (counted.length === 0) return;
    await addOnce(table, usageKey(ownerId, hourTextOf(now)), {
      counts: counted,
      expiresAt: Math.floor((now + LIFETIME_MS) / 1000),
    });
  }

  return {
    /** Batches of one user that end while a write of theirs is under way share the next one. */
    add(
      ownerId: UserId,
      { invocations, computeMs, events = 0, errors = 0, payloadBytes = 0 }: Usage & Partial<BatchUsage>,
      now: number,
    ): Promise<void> {
      const minute = startOfMinute(now);
      const name = `${ownerId} ${minute}`;
      const sum = waiting.get(name) ?? NONE;
      waiting.set(name, {
        invocations: sum.invocations + invocations,
        computeMs: sum.computeMs + computeMs,
        events: sum.events + events,
        errors: sum.errors + errors,
        payloadBytes: sum.payloadBytes + payloadBytes,
      });
      return shared(name, async () => {
        const usage = waiting.get(name) ?? NONE;
        waiting.delete(name);
        await write(ownerId, usage, minute);
        return undefined;
      });
    },

    /** Usage of the UTC day of `now`. */
    async ofDay(ownerId: UserId, now: number): Promise<Usage> {
      const hours = await between(ownerId, dayOf(now), `${dayOf(now)}${END_OF_DAY}`);
      return {
        invocations: hours.reduce((sum, hour) => sum + hour.invocations, 0),
        computeMs: hours.reduce((sum, hour) => sum + hour.computeMs, 0),
      };
    },

    /** Invocations of a billing period. The hour that two periods share counts for the later one. */
    async ofPeriod(ownerId: UserId, { start, end }: BillingPeriod): Promise<number> {
      const lastHour = hourTextOf(end - HOUR_MS);
      const first = hourTextOf(start);
      // A period that ends in the hour of its start has no whole hour of its own.
      if (lastHour < first) return 0;
      const hours = await between(ownerId, first, lastHour);
      return hours.reduce((sum, hour) => sum + hour.invocations, 0);
    },
  };
}
