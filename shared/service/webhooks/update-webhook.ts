import { isDeepStrictEqual } from 'node:util';
import type { Vault } from '../../aws/vault.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import type { Requested } from '../../domain/requested.ts';
import { type Webhook, type WebhookSettings, webhookWork, webhookSecret } from '../../domain/webhook/webhook.ts';
import type { TargetRule } from '../../domain/target/target-rule.ts';
import type { WebhookHeaders } from '../../domain/delivery/webhook-headers.ts';
import { renewedHealth } from '../../domain/webhook/webhook-health.ts';
import type { WebhookChange, WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import { type HeaderReader, encryptedHeaders, sealedSecret } from '../delivery/sealed-reader.ts';
import { startWork } from '../delivery/send-next.ts';
import { checkTarget } from './check-target.ts';
import { announceOrdered, type AnnounceOrderedOptions } from './register-webhook.ts';
import { DAY_MS } from '../../lib/durations.ts';

interface ChangeWebhookOptions extends AnnounceOrderedOptions {
  webhooks: Pick<WebhookStore, 'find' | 'change'>;
  vault: Pick<Vault, 'encrypt'>;
  headersOf: HeaderReader;
  targetRule: TargetRule;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  now(): number;
}

/**
 * Applies a PUT; settings that it lacks stay. `check` throws where the webhook of the moment may not be changed so.
 * Undefined when the webhook was deleted meanwhile.
 */
export async function updateWebhook(
  options: ChangeWebhookOptions,
  read: Webhook,
  update: Requested<WebhookSettings>,
  check: (webhook: Webhook) => void = () => undefined,
): Promise<Webhook | undefined> {
  const { webhooks, now } = options;
  let isAnnounced = false;
  const changed = await changeCurrent<Webhook, Webhook>({
    read,
    find: () => webhooks.find(read.id),
    write: async (webhook) => {
      check(webhook);
      const { headers, ...plain } = update;
      const { url = webhook.url, target = webhook.target, format = webhook.format } = plain;
      if (plain.url !== undefined || plain.target !== undefined || plain.format !== undefined)
        checkTarget(options.targetRule, { url, target, format });
      const change = {
        ...plainChanges(webhook, plain),
        ...(await headerChange(options, webhook, headers)),
      };
      const hasChanged = Object.keys(change).length > 0;
      // The announcement holds, also when the health of the webhook changed meanwhile.
      if (update.ordered === true && !webhook.ordered && !isAnnounced) {
        await announceOrdered(options, webhook);
        isAnnounced = true;
      }
      const written = await webhooks.change(webhook, {
        ...change,
        ...(hasChanged ? { updatedAt: now() } : {}),
        // A secret that an earlier release stored as plain text.
        ...(typeof webhook.secret === 'string'
          ? { secret: await sealedSecret(options.vault, webhook, webhook.secret) }
          : {}),
        ...stateChanges(webhook, change, now()),
      });
      // Another request may have switched it off since it was announced.
      if (written?.ordered === true && update.ordered === true) await options.orderedWebhooks.add(written);
      if (written?.ordered === false && update.ordered === false) await options.orderedWebhooks.remove(written);
      if (written) await sendFollowing(options, { before: webhook, update, written });
      return written;
    },
  });
  // A webhook that was deleted meanwhile leaves no announcement.
  if (changed === undefined && isAnnounced) await options.orderedWebhooks.remove(read);
  return changed;
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

/** Switching on begins anew; another URL or target closes the breaker. */
function stateChanges(webhook: Webhook, { active, url, target }: WebhookChange, now: number): WebhookChange {
  const health = (keepsFailingSince: boolean) => renewedHealth(webhook.health, { keepsFailingSince, now });
  if (active === true) return { disabledReason: null, suspectUntil: undefined, health: health(false) };
  const isElsewhere =
    url === undefined && target === undefined ? {} : { suspectUntil: undefined, health: health(true) };
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

/** Time in which the secret before a rotation also signs. */
const ROTATION_MS = DAY_MS;

interface RotateSecretOptions {
  webhooks: Pick<WebhookStore, 'find' | 'change'>;
  vault: Pick<Vault, 'encrypt'>;
  random(bytes: number): Uint8Array;
  now(): number;
}

/** Gives the webhook a new secret. Undefined when the webhook was deleted meanwhile. */
export async function rotateSecret(
  { webhooks, vault, random, now }: RotateSecretOptions,
  read: Webhook,
  { revoke }: { revoke: boolean },
): Promise<{ webhook: Webhook; secret: string } | undefined> {
  const secret = webhookSecret(random(32));
  const sealed = await sealedSecret(vault, read, secret);
  const webhook = await changeCurrent<Webhook, Webhook>({
    read,
    find: () => webhooks.find(read.id),
    write: (current) =>
      webhooks.change(current, {
        secret: sealed,
        previousSecret: revoke ? undefined : { secret: current.secret, until: now() + ROTATION_MS },
      }),
  });
  return webhook && { webhook, secret };
}
