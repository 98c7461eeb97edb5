import type { AttemptSummary } from '../../domain/delivery/delivery.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { WebhookHeaders } from '../../domain/delivery/webhook-headers.ts';
import type { DeliveryLog } from '../../store/deliveries/delivery-log.ts';
import type { WaitingAndHeldDeliveries } from '../../store/deliveries/delivery-lists.ts';
import { MAX_HELD } from '../delivery/held-limit.ts';
import type { HeaderReader } from '../delivery/sealed-reader.ts';

interface WebhookDetailsOptions {
  headersOf: HeaderReader;
  successLog: Pick<DeliveryLog, 'newestSuccess'>;
  waitingAndHeld: Pick<WaitingAndHeldDeliveries, 'heldCount'>;
  deliveryAddresses: readonly string[] | null;
  now(): number;
}

/** Reads what is shown of a webhook and is not in its item. */
export async function webhookDetails(
  { headersOf, successLog, waitingAndHeld, deliveryAddresses, now }: WebhookDetailsOptions,
  webhook: Webhook,
): Promise<{
  headers: WebhookHeaders;
  logged: AttemptSummary | undefined;
  heldCount: number;
  deliveryAddresses: readonly string[] | null;
}> {
  const [headers, logged, held] = await Promise.all([
    headersOf(webhook, webhook.headers),
    successLog.newestSuccess(webhook.id),
    waitingAndHeld.heldCount(webhook.id, now()),
  ]);
  return { headers, logged, heldCount: Math.min(held, MAX_HELD), deliveryAddresses };
}
