import type { Vault } from '../../aws/vault.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { type Webhook, webhookSecret } from '../../domain/webhook/webhook.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { sealedSecret } from '../delivery/signing-secrets.ts';

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
  for (let webhook: Webhook | undefined = read; webhook; webhook = await webhooks.find(read.id)) {
    const previousSecret = revoke ? undefined : { secret: webhook.secret, until: now() + ROTATION_MS };
    const changed = await webhooks.change(webhook, { secret: sealed, previousSecret });
    if (changed) return { webhook: changed, secret };
  }
  return undefined;
}
