import type { Webhook } from '../../shared/domain/webhook.ts';
import { HEALTHY } from '../../shared/domain/webhook-health.ts';

/** A valid webhook; a test names what it is about. */
export const aWebhook = (fields: Pick<Webhook, 'id' | 'ownerId'> & Partial<Webhook>): Webhook => ({
  name: null,
  description: null,
  url: 'https://example.org/',
  active: true,
  disabledReason: null,
  secret: 'whsec_c2VjcmV0',
  rateLimit: null,
  health: HEALTHY,
  version: 0,
  createdAt: 0,
  updatedAt: 0,
  ...fields,
});
