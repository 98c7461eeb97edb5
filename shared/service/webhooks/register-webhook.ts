import type { Vault } from '../../aws/vault.ts';
import { newId, type Random, type UserId, WebhookId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Requested } from '../../domain/requested.ts';
import { type Webhook, webhookSecret, WebhookSettings } from '../../domain/webhook/webhook.ts';
import type { WebhookHeaders } from '../../domain/delivery/webhook-headers.ts';
import { HEALTHY } from '../../domain/webhook/webhook-health.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { encryptedHeaders } from '../delivery/custom-headers.ts';
import { sealedSecret } from '../delivery/signing-secrets.ts';
import { scheduleKeeping, type ScheduleKeepingOptions } from './keep-log.ts';

interface RegisterWebhookOptions extends ScheduleKeepingOptions {
  webhooks: Pick<WebhookStore, 'checkLimit' | 'create'>;
  vault: Pick<Vault, 'encrypt'>;
  limits: Pick<Limits, 'webhooks'>;
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
  await webhooks.create(webhook, limits.webhooks);
  return { webhook, headers, secret };
}
