import { rawMembers } from '../../../../shared/lib/raw-json.ts';
import { PAGE_ITEMS } from './list-pages.ts';
import { ApiError } from './refused-request.ts';
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
export async function getDeliveryById(id: string, signal?: AbortSignal): Promise<Delivery | undefined> {
  try {
    return (await request<Single<Delivery>>('GET', `/users/me/deliveries/${segment(id)}`, { signal })).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Accepts one more attempt. */
export const redeliver = (webhookId: string, id: string): Promise<Single<Delivery>> =>
  request('POST', `${deliveriesOf(webhookId)}/${segment(id)}/redeliver`);

/** The number of deliveries of a webhook with a status; the API counts up to 1,000. */
export async function countDeliveries(webhookId: string, { status }: { status: string }): Promise<number> {
  const page: Page<Delivery> = await request('GET', deliveriesOf(webhookId), { query: { limit: 1, status } });
  return page.page_info.total_count;
}
