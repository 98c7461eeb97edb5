import * as z from 'zod';
import { UserId, WebhookId } from './id.ts';

export const Webhook = z.object({
  id: WebhookId,
  ownerId: UserId,
  name: z.string().nullable(),
  description: z.string().nullable(),
  url: z.string(),
  active: z.boolean(),
  /** `whsec_…`: signs its deliveries (Standard Webhooks). */
  secret: z.string(),
  /** Until then a first attempt is not worth trying, epoch ms: it failed recently. */
  suspectUntil: z.number().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Webhook = z.infer<typeof Webhook>;

/** `whsec_` and base64 of 32 random bytes, as Standard Webhooks spells secrets. */
export const webhookSecret = (bytes: Uint8Array): string => `whsec_${btoa(String.fromCharCode(...bytes))}`;
