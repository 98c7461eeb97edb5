import { type Delivery, summaryOf, TEST_STREAM } from '../../domain/delivery/delivery.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { ServiceError, notFound } from '../../domain/errors.ts';
import type { DeliveryId, Random, WebhookId } from '../../domain/id.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import type { OwnedDeliveries } from '../delivery/owned-deliveries.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import type { AllDeliveries } from '../../store/deliveries/all-deliveries.ts';
import type { EventOfDelivery } from './event-of-delivery.ts';

interface RequestRedeliveryOptions {
  deliveries: Pick<OwnedDeliveries, 'find' | 'create' | 'request' | 'restorePayload'>;
  allDeliveries: Pick<AllDeliveries, 'find'>;
  eventOf: EventOfDelivery;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  random: Random;
  now(): number;
}

const MAX_PER_MINUTE = 10;

/** Queues one more attempt of a delivery. Returns the delivery as it is now. */
export async function requestRedelivery(
  options: RequestRedeliveryOptions,
  { webhook, id }: { webhook: Webhook; id: DeliveryId },
): Promise<Delivery> {
  const { deliveries, sendRetry, random, now } = options;
  const request = Buffer.from(random(12)).toString('hex');
  return changeCurrent({
    find: async () => withItem(options, await deliveryOf(options, webhook.id, id)),
    write: async ({ stored, json }) => {
      // The SDK repeats a request whose response was lost: this one is recorded.
      if (!stored.requested?.has(request)) {
        const recent = (stored.requestedAt ?? []).filter((at) => at > now() - MINUTE_MS);
        if (recent.length >= MAX_PER_MINUTE) throw tooMany(recent, now());
        if (!(await deliveries.request(stored, { request, requestedAt: [...recent, now()] }))) return false;
      }
      // The end of another attempt, which began before the request, removes another payload than this.
      await deliveries.restorePayload(stored, json, request);
      await sendRetry({ kind: 'redeliver', deliveryId: id, listenerId: webhook.id, request }, 0);
      return stored;
    },
  });
}

interface WithItem {
  stored: StoredDelivery;
  /** The event. */
  json: string;
}

/** The delivery with an item of its own: a successful first attempt has none. */
async function withItem(options: RequestRedeliveryOptions, delivery: Delivery): Promise<WithItem> {
  const { deliveries, eventOf } = options;
  if (delivery.stream === TEST_STREAM) {
    throw new ServiceError('not_redeliverable', 'A test is not sent again: test the webhook once more.');
  }
  const event = await eventOf(delivery);
  if (event === undefined) {
    throw new ServiceError(
      'event_expired',
      'The event of this delivery is no longer stored, so it cannot be sent again.',
    );
  }
  const { json, trace } = event;
  const stored = await deliveries.find(delivery.listenerId, delivery.id);
  if (stored) return { stored, json };
  const withEvent: StoredDelivery = {
    ...delivery,
    lastAttempt: delivery.lastAttempt && summaryOf(delivery.lastAttempt),
    ...(trace ? { trace } : {}),
    scheduleStep: 0,
    messageNumber: 0,
  };
  const attempt = delivery.lastAttempt && { ...delivery.lastAttempt, attempt: 1 };
  await deliveries.create(withEvent, { attempt });
  return { stored: (await deliveries.find(delivery.listenerId, delivery.id)) ?? withEvent, json };
}

export async function deliveryOf(
  { allDeliveries }: Pick<RequestRedeliveryOptions, 'allDeliveries'>,
  webhookId: WebhookId,
  id: DeliveryId,
): Promise<Delivery> {
  const delivery = await allDeliveries.find(webhookId, id);
  if (delivery) return delivery;
  throw notFound(`delivery ${id} of this webhook`);
}

const tooMany = ([oldest = 0]: readonly number[], now: number) =>
  new ServiceError(
    'too_many_redeliveries',
    `A delivery can be sent again ${MAX_PER_MINUTE} times a minute; wait a moment.`,
    { retryAfterSeconds: Math.max(Math.ceil((oldest + MINUTE_MS - now) / 1_000), 1) },
  );
