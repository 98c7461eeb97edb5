import * as z from 'zod';
import { UserId, WebhookId } from '../id.ts';
import { SealedFields } from '../user/sealed-fields.ts';
import { StoredSecret } from '../delivery/signing-secret.ts';
import { WebhookHeaders } from '../delivery/webhook-headers.ts';
import { DisabledReason, HEALTHY, WebhookHealth } from './webhook-health.ts';

/**
 * The fields of a webhook that a request may set. A field has its default in a new webhook whose request lacks it, and
 * in webhooks of earlier releases.
 */
export const WebhookSettings = z.object({
  name: z.string().nullable().default(null),
  description: z.string().nullable().default(null),
  url: z.string(),
  active: z.boolean().default(true),
  headers: WebhookHeaders.default([]),
  /** Attempts per second. */
  rateLimit: z.number().int().nullable().default(null),
});
export type WebhookSettings = z.infer<typeof WebhookSettings>;

export const Webhook = WebhookSettings.omit({ headers: true }).extend({
  id: WebhookId,
  ownerId: UserId,
  disabledReason: DisabledReason.nullable().default(null),
  /** Signing secret as in Standard Webhooks. */
  secret: StoredSecret,
  /** The secret before the last rotation. It also signs until then, epoch ms. */
  previousSecret: z.object({ secret: StoredSecret, until: z.number() }).optional(),
  /** JSON text of the webhook's custom headers, as the field `headers`. */
  headers: SealedFields.optional(),
  health: WebhookHealth.default(HEALTHY),
  /** Counts changes, for optimistic locking. */
  version: z.number().int().default(0),
  /** Deliveries skip the first attempt until then, epoch ms, because the webhook failed recently. */
  suspectUntil: z.number().optional(),
  /** The owner is suspended since then, epoch ms: deliveries are held, whether the webhook is active or not. */
  suspendedAt: z.number().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Webhook = z.infer<typeof Webhook>;

/** `whsec_` and base64 of 32 random bytes, the format of Standard Webhooks. */
export const webhookSecret = (bytes: Uint8Array): string => `whsec_${btoa(String.fromCharCode(...bytes))}`;

/** The secrets that sign at this time, newest first. */
export const signingSecretsOf = (
  { secret, previousSecret }: Pick<Webhook, 'secret' | 'previousSecret'>,
  now: number,
): StoredSecret[] => (previousSecret && previousSecret.until > now ? [secret, previousSecret.secret] : [secret]);
