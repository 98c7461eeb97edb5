import type { Vault } from '../../aws/vault.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { type Webhook, webhookSecret } from '../../domain/webhook/webhook.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
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
