import { isDeepStrictEqual } from 'node:util';
import type { Vault } from '../../aws/vault.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import type { Requested } from '../../domain/requested.ts';
import type { Webhook, WebhookSettings } from '../../domain/webhook/webhook.ts';
import { webhookWork } from '../../domain/webhook/webhook-work.ts';
import type { WebhookHeaders } from '../../domain/delivery/webhook-headers.ts';
import { renewedHealth } from '../../domain/webhook/webhook-health.ts';
import type { WebhookChange, WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import { type HeaderReader, encryptedHeaders } from '../delivery/custom-headers.ts';
import { sealedSecret } from '../delivery/signing-secrets.ts';
import { startWork } from '../delivery/send-next.ts';

interface ChangeWebhookOptions {
  webhooks: Pick<WebhookStore, 'find' | 'change'>;
  vault: Pick<Vault, 'encrypt'>;
  headersOf: HeaderReader;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  now(): number;
}

/** Applies a PUT; settings that it lacks stay. Undefined when the webhook was deleted meanwhile. */
export async function updateWebhook(
  options: ChangeWebhookOptions,
  read: Webhook,
  update: Requested<WebhookSettings>,
): Promise<Webhook | undefined> {
  const { webhooks, now } = options;
  return changeCurrent<Webhook, Webhook>({
    read,
    find: () => webhooks.find(read.id),
    write: async (webhook) => {
      const { headers, ...plain } = update;
      const change = {
        ...plainChanges(webhook, plain),
        ...(await headerChange(options, webhook, headers)),
      };
      const hasChanged = Object.keys(change).length > 0;
      const written = await webhooks.change(webhook, {
        ...change,
        ...(hasChanged ? { updatedAt: now() } : {}),
        // A secret that an earlier release stored as plain text.
        ...(typeof webhook.secret === 'string'
          ? { secret: await sealedSecret(options.vault, webhook, webhook.secret) }
          : {}),
        ...stateChanges(webhook, change, now()),
      });
      if (written) await sendFollowing(options, { before: webhook, update, written });
      return written;
    },
  });
}

/**
 * The settings that are stored as they are requested. A setting that is stored encrypted has another type, and does not
 * compile here.
 */
type PlainSettings = Pick<Webhook, keyof Omit<WebhookSettings, 'headers'>>;

const plainChanges = (webhook: Webhook, wanted: Requested<PlainSettings>): WebhookChange =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => value !== undefined && !isDeepStrictEqual(value, Reflect.get(webhook, field)),
    ),
  );

async function headerChange(
  { vault, headersOf }: ChangeWebhookOptions,
  webhook: Webhook,
  headers: WebhookHeaders | undefined,
): Promise<WebhookChange> {
  if (headers === undefined) return {};
  const before = await headersOf(webhook, webhook.headers);
  if (isDeepStrictEqual(before, headers)) return {};
  return { headers: await encryptedHeaders(vault, webhook, headers) };
}

/** Switching on begins anew; another URL closes the breaker. */
function stateChanges(webhook: Webhook, { active, url }: WebhookChange, now: number): WebhookChange {
  const health = (keepsFailingSince: boolean) => renewedHealth(webhook.health, { keepsFailingSince, now });
  if (active === true) return { disabledReason: null, suspectUntil: undefined, health: health(false) };
  const isElsewhere = url === undefined ? {} : { suspectUntil: undefined, health: health(true) };
  return { ...isElsewhere, ...(active === false ? { disabledReason: 'owner' } : {}) };
}

/** A request that is repeated sends its messages again: the first one may have died before it sent them. */
async function sendFollowing(
  options: ChangeWebhookOptions,
  { before, update, written }: { before: Webhook; update: Pick<WebhookChange, 'active'>; written: Webhook },
): Promise<void> {
  const work = webhookWork(written);
  const isClosed = before.health.breaker !== undefined && work.kind === 'drain';
  // While the webhook was off, the drain of deliveries that were not held yet ended. The probe of an open breaker is on
  // its way.
  if (isClosed || (update.active !== undefined && work.kind !== 'probe')) await startWork(options, written);
}
