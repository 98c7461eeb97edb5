import * as z from 'zod';
import { Flag, SearchPageInput, WebhookIdParameter } from '../parameters.ts';
import { testEvent, webhook } from '../openapi/examples.ts';
import { route } from '../route.ts';
import { webhookFields } from '../settings/webhook-settings.ts';

const NewWebhook = z.object(webhookFields).omit({ active: true });

const updatable = { ...webhookFields, url: webhookFields.url.optional() };
const NAMES = Object.keys(updatable);

/** The choice of fields of the response may be in the body of every request. */
const WebhookUpdate = z
  .strictObject(
    { ...updatable, include: z.unknown().optional(), exclude: z.unknown().optional() },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `there is no field ${issue.keys.join(', ')}. The fields are ${NAMES.join(', ')}`
          : undefined,
    },
  )
  .refine((update) => NAMES.some((name) => Reflect.get(update, name) !== undefined), {
    path: [],
    message: `one of ${NAMES.join(', ')} is required`,
  });

const one = {
  group: 'webhooks',
  path: '/v1/webhooks/{id}',
  parameters: z.object({ id: WebhookIdParameter }),
  envelope: 'single',
  data: 'Webhook',
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
    inBody: ['headers', 'rate_limit'],
    example: { headers: webhook.headers, rate_limit: webhook.rate_limit },
    envelope: 'single',
    data: 'WebhookWithSecret',
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
    data: 'WebhookListItem',
  }),
  getWebhook: route({ ...one, method: 'GET', summary: 'One webhook.', input: z.object({}) }),
  updateWebhook: route({
    ...one,
    method: 'PUT',
    summary: 'Changes URL, name, description, activity, headers or rate limit of a webhook.',
    input: WebhookUpdate,
    example: { active: true },
  }),
  deleteWebhook: route({
    ...one,
    method: 'DELETE',
    summary: 'Removes a webhook, its subscriptions and its deliveries.',
    input: z.object({}),
    envelope: 'none',
  }),
  rotateWebhookSecret: route({
    ...one,
    method: 'POST',
    path: '/v1/webhooks/{id}/secret',
    summary: 'Replaces the signing secret. The one before also signs for 24 hours, unless it is revoked.',
    input: z.object({
      revoke: Flag.default(false).describe('Whether earlier secrets stop signing at once.'),
    }),
    from: 'both',
    data: 'WebhookWithSecret',
  }),
  testWebhook: route({
    ...one,
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    summary: 'Sends a test event, the body, to the webhook and answers with the outcome.',
    input: z.object({}),
    from: 'event',
    example: testEvent,
    data: 'WebhookTest',
    errors: [429],
  }),
};
