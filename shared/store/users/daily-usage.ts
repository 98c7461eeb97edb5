import * as z from 'zod';
import { type Activity, PAYLOAD_BYTES, sumOfMinutes } from '../../domain/user/activity.ts';
import { dayOf } from '../../domain/user/user.ts';
import type { UserId } from '../../domain/id.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { activityHours } from './activity-hours.ts';
import { attemptsKey, usageKey } from '../table/keys.ts';
import type { TableOptions } from '../table/table-client.ts';

/** Everything that a user did on one UTC day. */
export interface DailyUsage extends Activity {
  /** 2026-01-31. */
  day: string;
  computeMs: number;
  /**
   * Bytes of payloads that were too large for a message or an item, and of deliveries that did not succeed at first.
   */
  payloadBytes: number;
}

const HourItem = z.looseObject({
  sk: z.string(),
  computeMs: z.number().default(0),
  [PAYLOAD_BYTES]: z.number().default(0),
});

/** Adds up the hours that functions count anyway: two queries, of at most 24 items of 1 KB a day each. */
export const dailyUsage =
  (table: TableOptions) =>
  /** The last days, oldest first; the last one is that of `now`. */
  async (ownerId: UserId, { days, now }: { days: number; now: number }): Promise<DailyUsage[]> => {
    const first = Date.parse(dayOf(now)) - (days - 1) * DAY_MS;
    const byDay = new Map<string, DailyUsage>();
    for (let at = first; at <= now; at += DAY_MS)
      byDay.set(dayOf(at), { day: dayOf(at), ...sumOfMinutes({}), computeMs: 0, payloadBytes: 0 });
    const hours = await Promise.all(
      [usageKey, attemptsKey].map((keyOf) => activityHours(table, ownerId, { keyOf, from: first, to: now })),
    );
    for (const item of hours.flat()) {
      const { sk, computeMs, [PAYLOAD_BYTES]: payloadBytes, ...counts } = HourItem.parse(item);
      const day = byDay.get(dayInKey(sk));
      if (!day) continue;
      const sums = sumOfMinutes(counts);
      for (const counter of ['runs', 'events', 'errors', 'delivered', 'failed'] as const) day[counter] += sums[counter];
      day.computeMs += computeMs;
      day.payloadBytes += payloadBytes;
    }
    return [...byDay.values()];
  };

/** The day of the hour in the sort key of an item. */
const dayInKey = (sk: string): string => sk.slice(sk.indexOf('#') + 1, -'T00'.length);
