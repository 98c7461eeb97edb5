import * as z from 'zod';
import { Description, Name } from '../../domain/text.ts';
import { WebhookUrl } from '../../domain/url.ts';
import { SearchPageInput, WebhookIdParameter } from '../parameters.ts';
import { route } from '../route.ts';
import { NewWebhookResponse, WebhookListResponse, WebhookResponse } from '../responses.ts';

const NewWebhook = z.object({ url: WebhookUrl, name: Name.nullish(), description: Description.nullish() });

/** Text in the query, a boolean in the body. */
const Active = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
  error: 'must be true or false',
});

const WebhookUpdate = z
  .object({
    url: WebhookUrl.optional(),
    name: Name.nullish(),
    description: Description.nullish(),
    active: Active.optional(),
  })
  .refine((update) => Object.values(update).some((value) => value !== undefined), {
    path: [],
    message: 'one of url, name, description and active is required',
  });

const one = {
  group: 'webhooks',
  path: '/v1/webhooks/{id}',
  parameters: z.object({ id: WebhookIdParameter }),
  envelope: 'single',
  data: WebhookResponse,
  isExtension: true,
} as const;

export const webhooks = {
  createWebhook: route({
    group: 'webhooks',
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Creates a webhook for an HTTP(S) URL. Only this response contains the signing secret.',
    parameters: z.object({}),
    input: NewWebhook,
    from: 'both',
    envelope: 'single',
    data: NewWebhookResponse,
    errors: [409],
  }),
  listWebhooks: route({
    group: 'webhooks',
    method: 'GET',
    path: '/v1/users/me/webhooks',
    summary: 'Your webhooks, newest first.',
    parameters: z.object({}),
    input: SearchPageInput,
    envelope: 'page',
    data: WebhookListResponse,
  }),
  getWebhook: route({ ...one, method: 'GET', summary: 'One webhook.', input: z.object({}) }),
  updateWebhook: route({
    ...one,
    method: 'PUT',
    summary: 'Changes URL, name, description or activity of a webhook.',
    input: WebhookUpdate,
    from: 'both',
  }),
  deleteWebhook: route({
    ...one,
    method: 'DELETE',
    summary: 'Removes a webhook and its subscriptions.',
    input: z.object({}),
    envelope: 'none',
  }),
};
