import { rawMembers } from '../../../../shared/lib/raw-json.ts';
import { PAGE_ITEMS } from './list-pages.ts';
import { LONGEST_COUNT } from './page-cursors.ts';
import { foundOrNone } from './refused-request.ts';
import { request, requestText, segment } from './request.ts';
import type { Delivery, DeliveryWithAttempts, Page, Single } from './wire.ts';

/** The filters of the API. An empty one counts as absent. */
export interface DeliveryFilter {
  status?: string;
  outcome?: string;
  emitterId?: string;
  /** `default` is the default stream. */
  stream?: string;
  eventId?: string;
  /** Epoch ms. */
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}

const deliveriesOf = (webhookId: string): string => `/webhooks/${segment(webhookId)}/deliveries`;

/** The deliveries of a webhook, newest first. */
export const listDeliveries = (
  webhookId: string,
  { status, outcome, emitterId, stream, eventId, sinceMs, untilMs }: DeliveryFilter,
  after?: string,
): Promise<Page<Delivery>> =>
  request('GET', deliveriesOf(webhookId), {
    query: {
      limit: PAGE_ITEMS,
      status: status || undefined,
      outcome: outcome || undefined,
      emitter_id: emitterId || undefined,
      event_name: stream || undefined,
      event_id: eventId || undefined,
      since: sinceMs,
      until: untilMs,
      after,
    },
  });

/** A delivery with the JSON text of its event; undefined when the event is gone. */
export interface ShownDelivery extends DeliveryWithAttempts {
  json: string | undefined;
}

export async function getDelivery(webhookId: string, id: string): Promise<ShownDelivery> {
  const text = await requestText(`${deliveriesOf(webhookId)}/${segment(id)}`, { query: { expand: 'event' } });
  const { data }: Single<DeliveryWithAttempts> = JSON.parse(text);
  const json = rawMembers(rawMembers(text).get('data') ?? '{}').get('event');
  return { ...data, json: data.event === null ? undefined : json };
}

/** The delivery with this id, of any webhook; undefined when there is none. */
export const getDeliveryById = async (id: string, signal?: AbortSignal): Promise<Delivery | undefined> =>
  (await foundOrNone(request<Single<Delivery>>('GET', `/users/me/deliveries/${segment(id)}`, { signal })))?.data;

/** Accepts one more attempt. */
export const redeliver = (webhookId: string, id: string): Promise<Single<Delivery>> =>
  request('POST', `${deliveriesOf(webhookId)}/${segment(id)}/redeliver`);

const ATTEMPT_POLL_MS = 500;
/** An attempt has 15 s, and waits for the rate limit. */
const LONGEST_ATTEMPT_MS = 20_000;

/** The delivery after its next attempt; undefined if that takes long. */
export async function attemptAfter({ webhook_id: webhookId, id, attempts }: Delivery): Promise<Delivery | undefined> {
  for (const end = Date.now() + LONGEST_ATTEMPT_MS; Date.now() < end;) {
    const { data } = await request<Single<Delivery>>('GET', `${deliveriesOf(webhookId)}/${segment(id)}`);
    if (data.attempts > attempts) return data;
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_POLL_MS));
  }
  return undefined;
}

/** The deliveries that wait for an attempt. */
export interface Waiting {
  count: number;
  /** The API counted no further. */
  isLeast: boolean;
  /** The oldest one without an attempt; otherwise the oldest one. */
  next: Delivery | undefined;
  oldestMs: number | null;
}

/** Deliveries without an attempt, and those with another one to come. */
export async function readWaiting(webhookId: string): Promise<Waiting> {
  const pages = await Promise.all(
    ['pending', 'retrying'].map((status) =>
      request<Page<Delivery>>('GET', deliveriesOf(webhookId), { query: { limit: 1, status, order: 'oldest' } }),
    ),
  );
  const counts = pages.map(({ page_info: { total_count: count } }) => count);
  const oldest = pages.flatMap(({ data }) => data);
  return {
    count: counts.reduce((sum, each) => sum + each, 0),
    isLeast: counts.some((each) => each >= LONGEST_COUNT),
    next: oldest[0],
    oldestMs: oldest.length === 0 ? null : Math.min(...oldest.map(({ created_at_ms: ms }) => ms)),
  };
}
