import type { Vault } from '../../aws/vault.ts';
import { newId, type Random, type UserId, WebhookId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Requested } from '../../domain/requested.ts';
import { type Webhook, webhookSecret, WebhookSettings } from '../../domain/webhook/webhook.ts';
import type { WebhookHeaders } from '../../domain/delivery/webhook-headers.ts';
import { HEALTHY } from '../../domain/webhook/webhook-health.ts';
import type { TargetRule } from '../../domain/target/target-rule.ts';
import { ORDERED_CACHE_MS } from '../../domain/time-limits.ts';
import type { OrderedWebhookStore, WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { encryptedHeaders, sealedSecret } from '../delivery/sealed-reader.ts';
import { checkTarget } from './check-target.ts';
import { scheduleKeeping, type ScheduleKeepingOptions } from './keep-log.ts';

export interface AnnounceOrderedOptions {
  orderedWebhooks: Pick<OrderedWebhookStore, 'add' | 'remove'>;
  pause(ms: number): Promise<void>;
}

/** For an eventually consistent read that follows the write. */
const READ_MS = 500;

/**
 * Makes every process that emits events of the user mark them. Call it before the webhook is written: it waits until
 * no process remembers that the user had no ordered webhook.
 */
export async function announceOrdered(
  { orderedWebhooks, pause }: AnnounceOrderedOptions,
  webhook: Pick<Webhook, 'ownerId' | 'id'>,
): Promise<void> {
  await orderedWebhooks.add(webhook);
  await pause(ORDERED_CACHE_MS + READ_MS);
}

interface RegisterWebhookOptions extends ScheduleKeepingOptions, AnnounceOrderedOptions {
  webhooks: Pick<WebhookStore, 'checkLimit' | 'create'>;
  vault: Pick<Vault, 'encrypt'>;
  limits: Pick<Limits, 'webhooks'>;
  targetRule: TargetRule;
  random: Random;
}

/** Stores a new webhook. Settings that the request lacks have their defaults. The secret is stored encrypted. */
export async function registerWebhook(
  options: RegisterWebhookOptions,
  ownerId: UserId,
  requested: Requested<WebhookSettings>,
): Promise<{ webhook: Webhook; headers: WebhookHeaders; secret: string }> {
  const { webhooks, vault, limits, random, now } = options;
  const { headers, ...settings } = WebhookSettings.parse(requested);
  checkTarget(options.targetRule, settings);
  const createdAt = now();
  const holder = { id: WebhookId.parse(newId('webhook', createdAt, random)), ownerId };
  const secret = webhookSecret(random(32));
  await webhooks.checkLimit(ownerId, limits.webhooks);
  const [sealed, encryptedCustomHeaders] = await Promise.all([
    sealedSecret(vault, holder, secret),
    encryptedHeaders(vault, holder, headers),
    scheduleKeeping(options, holder.id),
  ]);
  const webhook: Webhook = {
    ...settings,
    ...holder,
    disabledReason: null,
    secret: sealed,
    headers: encryptedCustomHeaders,
    health: HEALTHY,
    version: 0,
    createdAt,
    updatedAt: createdAt,
  };
  if (webhook.ordered) await announceOrdered(options, webhook);
  await webhooks.create(webhook, limits.webhooks).catch(async (error: unknown) => {
    if (webhook.ordered) await options.orderedWebhooks.remove(webhook);
    throw error;
  });
  return { webhook, headers, secret };
}
