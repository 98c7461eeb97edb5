import * as z from 'zod';
import { UserId, WebhookId } from './id.ts';
import { StoredSecret } from './signing-secret.ts';

export const Webhook = z.object({
  id: WebhookId,
  ownerId: UserId,
  name: z.string().nullable(),
  description: z.string().nullable(),
  url: z.string(),
  active: z.boolean(),
  /** Signing secret as in Standard Webhooks. */
  secret: StoredSecret,
  /** Deliveries skip the first attempt until then, epoch ms, because the webhook failed recently. */
  suspectUntil: z.number().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Webhook = z.infer<typeof Webhook>;

/** `whsec_` and base64 of 32 random bytes, the format of Standard Webhooks. */
export const webhookSecret = (bytes: Uint8Array): string => `whsec_${btoa(String.fromCharCode(...bytes))}`;
