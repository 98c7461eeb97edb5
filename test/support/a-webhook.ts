import { Webhook } from '../../shared/domain/webhook/webhook.ts';

/** A valid webhook; a test names what it is about. */
export const aWebhook = (fields: Pick<Webhook, 'id' | 'ownerId'> & Partial<Webhook>): Webhook =>
  Webhook.parse({
    url: 'https://example.org/',
    secret: 'whsec_c2VjcmV0',
    createdAt: 0,
    updatedAt: 0,
    ...fields,
  });
