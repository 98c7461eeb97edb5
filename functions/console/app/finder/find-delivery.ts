import { getDelivery, type ShownDelivery } from '../api/delivery-api.ts';
import { everyPage } from '../api/list-pages.ts';
import { ApiError } from '../api/refused-request.ts';
import type { WebhookItem } from '../api/wire.ts';
import { firstFound } from './first-found.ts';

/** Looks for a delivery in each webhook: an id of a delivery does not name its webhook. */
export async function findDelivery(id: string, signal: AbortSignal): Promise<ShownDelivery | undefined> {
  const webhooks = await everyPage<WebhookItem>('/users/me/webhooks');
  return firstFound(
    webhooks,
    ({ id: webhookId }) =>
      getDelivery(webhookId, id).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      }),
    signal,
  );
}
