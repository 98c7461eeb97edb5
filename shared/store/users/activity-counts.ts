import * as z from 'zod';
import {
  type Activity,
  counterName,
  COUNTERS,
  hourTextOf,
  PAYLOAD_BYTES,
  startOfMinute,
} from '../../domain/user/activity.ts';
import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts';
import type { UserId } from '../../domain/id.ts';
import { activityHours } from './activity-hours.ts';
import { addOnce } from '../table/add-once.ts';
import { attemptsKey, usageKey } from '../table/keys.ts';
import type { TableOptions } from '../table/table-client.ts';

export interface MinuteActivity extends Activity {
  /** Start of the minute, epoch ms. */
  minute: number;
}

export type ActivityStore = ReturnType<typeof activityStore>;

/** Payloads of deliveries count as long as they are stored, 30 days. */
const LIFETIME_MS = 31 * DAY_MS;
const HourItem = z.looseObject({ sk: z.string() });
const Count = z.number().default(0);

/**
 * Counts per minute of the last day. The usage items have runs, events and errors; attempts to deliver have items of
 * their own.
 */
export function activityStore(table: TableOptions) {
  /** The items of both kinds, by hour. */
  async function hoursOf(ownerId: UserId, keyOf: typeof usageKey, from: number, to: number) {
    const items = await activityHours(table, ownerId, { keyOf, from, to });
    return new Map(items.map((item) => [HourItem.parse(item).sk, item]));
  }

  return {
    /** Counts attempts of one minute, and bytes of payloads that their deliveries stored: one write, however many. */
    async addAttempts(
      ownerId: UserId,
      { delivered, failed, payloadBytes = 0 }: Pick<Activity, 'delivered' | 'failed'> & { payloadBytes?: number },
      at: number,
    ): Promise<void> {
      const counts: [string, number][] = [
        [PAYLOAD_BYTES, payloadBytes],
        [counterName('delivered', at), delivered],
        [counterName('failed', at), failed],
      ];
      const counted = counts.filter(([, count]) => count > 0);
      if (counted.length === 0) return;
      await addOnce(table, attemptsKey(ownerId, hourTextOf(at)), {
        counts: counted,
        expiresAt: Math.floor((at + LIFETIME_MS) / 1000),
      });
    },

    /** One row per minute, oldest first; the last one is the minute of `now`. */
    async read(ownerId: UserId, { minutes, now }: { minutes: number; now: number }): Promise<MinuteActivity[]> {
      const to = startOfMinute(now);
      const from = to - (minutes - 1) * MINUTE_MS;
      const [usages, attempts] = await Promise.all([
        hoursOf(ownerId, usageKey, from, to),
        hoursOf(ownerId, attemptsKey, from, to),
      ]);
      return Array.from({ length: minutes }, (_, n) => {
        const minute = from + n * MINUTE_MS;
        const hour = hourTextOf(minute);
        const items = [usages.get(usageKey(ownerId, hour).sk), attempts.get(attemptsKey(ownerId, hour).sk)];
        const row: MinuteActivity = { minute, runs: 0, events: 0, errors: 0, delivered: 0, failed: 0 };
        for (const item of items) {
          for (const counter of COUNTERS) row[counter] += Count.parse(item?.[counterName(counter, minute)]);
        }
        return row;
      });
    },
  };
}
