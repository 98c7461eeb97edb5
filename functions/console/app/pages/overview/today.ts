import { MINUTE_MS } from '../../../../../shared/lib/durations.ts';
import type { QueryClient } from '@tanstack/preact-query';
import { getDayLatencies } from '../../api/metric-api.ts';
import { getActivity } from '../../api/user-api.ts';
import { webhookName } from '../../api/webhook-name.ts';
import type { ActivityMinute, Page, WebhookItem } from '../../api/wire.ts';
import { sum } from '../../charts/chart-layers.ts';
import { failingWebhooks, holdingWebhooks, newestWebhooks } from '../../attention/troubled.ts';
import { unreadOf } from '../../attention/use-attention.ts';
import { waitingOf } from '../../attention/use-waiting.ts';

type Counts = Pick<ActivityMinute, 'events' | 'errors' | 'delivered' | 'failed'>;

export interface Today extends Counts {
  /** Deliveries that wait for a failing webhook or are held for one that is off. */
  waiting: number;
  /** Whether more may wait: the service counts up to 1,000 of each webhook. */
  isLeast: boolean;
  /** The webhook with the highest p95 of this day in UTC; `isOfAll`: not only the newest 100 were compared. */
  slowest: { name: string; ms: number; isOfAll: boolean } | undefined;
}

/** Failing webhooks whose deliveries are counted: that takes two requests each. */
const MAX_COUNTED = 10;

/** The numbers of the day, which begins at midnight in the zone of the browser. */
export async function readToday(queries: QueryClient, now: Date): Promise<Today> {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  // A day on which the clocks are set back has 25 hours, and the service keeps 24.
  const minutes = Math.min(1_440, Math.max(1, Math.ceil((now.getTime() - midnight) / MINUTE_MS)));
  const [{ data: activity }, newest, failing, holding] = await Promise.all([
    getActivity(minutes),
    newestWebhooks(queries),
    failingWebhooks(queries),
    holdingWebhooks(queries),
  ]);
  const [waiting, slowest] = await Promise.all([
    allWaiting(queries, [failing, holding]),
    slowestOf(newest, new Date(now).setUTCHours(0, 0, 0, 0)),
  ]);
  return { ...dayCounts(activity), ...waiting, slowest };
}

/** The counts of all minutes together. */
const dayCounts = (minutes: readonly ActivityMinute[]): Counts => ({
  events: sum(minutes.map(({ events }) => events)),
  errors: sum(minutes.map(({ errors }) => errors)),
  delivered: sum(minutes.map(({ delivered }) => delivered)),
  failed: sum(minutes.map(({ failed }) => failed)),
});

async function allWaiting(
  queries: QueryClient,
  lists: readonly Page<WebhookItem>[],
): Promise<Pick<Today, 'waiting' | 'isLeast'>> {
  const webhooks = [...new Map(lists.flatMap(({ data }) => data.map((each) => [each.id, each]))).values()];
  const failing = webhooks.filter(({ active, failing_since_ms: since }) => active && since !== null);
  const counted = await Promise.all(failing.slice(0, MAX_COUNTED).map(({ id }) => queries.fetchQuery(waitingOf(id))));
  const held = webhooks.map(({ held_count: count }) => count);
  return {
    waiting: sum([...held, ...counted.map(({ count }) => count)]),
    isLeast:
      lists.some((list) => unreadOf(list) > 0) ||
      failing.length > MAX_COUNTED ||
      counted.some(({ isLeast }) => isLeast),
  };
}

async function slowestOf(newest: Page<WebhookItem>, sinceMs: number): Promise<Today['slowest']> {
  const compared = newest.data.filter(({ last_success_ms: ms }) => ms !== null && ms >= sinceMs);
  if (compared.length === 0) return undefined;
  const rows = await getDayLatencies(
    compared.map(({ id }) => id),
    sinceMs,
  );
  const [row] = rows.filter(({ p95 }) => p95 > 0).toSorted((a, b) => b.p95 - a.p95);
  // A row names its webhook when several are asked for.
  const webhook = compared.find(({ id }) => id === row?.webhook_id) ?? compared[0];
  return row && webhook && { name: webhookName(webhook), ms: row.p95, isOfAll: unreadOf(newest) === 0 };
}
