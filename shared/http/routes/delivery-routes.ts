import * as z from 'zod';
import { DeliveryIdParameter, DeliveryPage, ExpandEvent, RecoverySince } from '../delivery-parameters.ts';
import { WebhookIdParameter } from '../parameters.ts';
import { route } from '../route.ts';

const ofWebhook = {
  group: 'webhooks',
  parameters: z.object({ id: WebhookIdParameter }),
  isExtension: true,
} as const;
const ofDelivery = {
  ...ofWebhook,
  parameters: z.object({ id: WebhookIdParameter, delivery_id: DeliveryIdParameter }),
};

export const deliveries = {
  listDeliveries: route('GET', '/v1/webhooks/{id}/deliveries', {
    ...ofWebhook,
    summary:
      'The deliveries of a webhook, newest first unless `order` says otherwise. `total_count` counts at most 1,000.',
    input: DeliveryPage,
    envelope: 'page',
    data: 'Delivery',
  }),
  findDelivery: route('GET', '/v1/users/me/deliveries/{delivery_id}', {
    ...ofWebhook,
    summary: 'The delivery with this id, of any of your webhooks. Look-ups are limited by what they read.',
    errors: [429],
    parameters: z.object({ delivery_id: DeliveryIdParameter }),
    data: 'Delivery',
  }),
  getDelivery: route('GET', '/v1/webhooks/{id}/deliveries/{delivery_id}', {
    ...ofDelivery,
    summary: 'One delivery with its attempts, and its event with `expand=event`.',
    input: ExpandEvent,
    data: 'DeliveryWithAttempts',
  }),
  redeliver: route('POST', '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
    ...ofDelivery,
    summary: 'Makes one more attempt of a delivery.',
    envelope: 'accepted',
    data: 'Delivery',
    errors: [409, 429],
  }),
  startRecovery: route('POST', '/v1/webhooks/{id}/recover', {
    ...ofWebhook,
    summary: 'Sends all failed, held and retrying deliveries since a time again, or answers with the job that does.',
    input: z.object({ since: RecoverySince }),
    from: 'both',
    envelope: 'accepted',
    data: 'Recovery',
    errors: [409],
  }),
  getRecovery: route('GET', '/v1/webhooks/{id}/recover', {
    ...ofWebhook,
    summary: 'The last job that was started by a POST to this path.',
    data: 'Recovery',
  }),
};
