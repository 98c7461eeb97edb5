import * as z from 'zod';
import { HealthName } from '../../domain/webhook/webhook-health.ts';
import { Flag, TaggedPageInput, WebhookIdParameter } from '../parameters.ts';
import { onlyFields } from '../settings/only-fields.ts';
import { testEvent, webhook } from '../openapi/examples.ts';
import { route } from '../route.ts';
import { PortalLinkInput } from '../settings/portal-link.ts';
import { webhookFields } from '../settings/webhook-settings.ts';

const IN_BODY = ['headers', 'rate_limit', 'retry_seconds', 'ordered', 'format', 'target', 'tags'] as const;
const NewWebhook = z.object(webhookFields).omit({ active: true });

const updatable = { ...webhookFields, url: webhookFields.url.optional() };
const NAMES = Object.keys(updatable);

const WebhookUpdate = onlyFields(updatable).refine(
  (update) => NAMES.some((name) => Reflect.get(update, name) !== undefined),
  {
    path: [],
    message: `one of ${NAMES.join(', ')} is required`,
  },
);

const Healths = z
  .string()
  .transform((text, context) => {
    const { data } = z.array(HealthName).safeParse(text.split(','));
    if (data) return data;
    const message = `must be one or more of ${HealthName.options.join(', ')}, with commas between`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({
    description:
      'Only webhooks with one of these, separated by commas. `off`: switched off because it answered 410 or failed for 5 days. `failing`, `slow`: its last deliveries did. `disabled`: you switched it off. `healthy`: none of these. `switched_on`: also each that was switched on or got another address in the last 14 days; it may hold deliveries from before.',
    jsonSchema: { type: 'string' },
  });

const one = {
  group: 'webhooks',
  parameters: z.object({ id: WebhookIdParameter }),
  data: 'Webhook',
  isExtension: true,
} as const;

export const webhooks = {
  createWebhook: route('POST', '/v1/webhooks', {
    group: 'webhooks',
    summary: 'Creates a webhook for an HTTP(S) URL. Only this response contains the signing secret.',
    input: NewWebhook,
    from: 'both',
    inBody: IN_BODY,
    example: Object.fromEntries(IN_BODY.map((name) => [name, webhook[name]])),
    data: 'WebhookWithSecret',
    errors: [409],
  }),
  createPortalLink: route('POST', '/v1/webhooks/portal_links', {
    group: 'webhooks',
    summary:
      'Makes the address of a page where a customer of yours sees and changes one webhook for an hour, without a key.',
    input: PortalLinkInput,
    example: { webhook_id: webhook.id, name: 'Acme', color: '#0b6e4f' },
    data: 'PortalLink',
    errors: [404],
    isExtension: true,
  }),
  listWebhooks: route('GET', '/v1/users/me/webhooks', {
    group: 'webhooks',
    summary: 'Your webhooks, newest first.',
    input: TaggedPageInput.safeExtend({ health: Healths.optional() }),
    envelope: 'page',
    data: 'WebhookListItem',
  }),
  getWebhook: route('GET', '/v1/webhooks/{id}', { ...one, summary: 'One webhook.' }),
  updateWebhook: route('PUT', '/v1/webhooks/{id}', {
    ...one,
    summary:
      'Changes settings of a webhook: URL, activity, headers, rate limit, retries, order, format, target and others.',
    input: WebhookUpdate,
    example: { active: true },
  }),
  deleteWebhook: route('DELETE', '/v1/webhooks/{id}', {
    ...one,
    summary: 'Removes a webhook, its subscriptions and its deliveries.',
    envelope: 'none',
  }),
  rotateWebhookSecret: route('POST', '/v1/webhooks/{id}/secret', {
    ...one,
    summary: 'Replaces the signing secret. The one before also signs for 24 hours, unless it is revoked.',
    input: z.object({
      revoke: Flag.default(false).describe('Whether earlier secrets stop signing at once.'),
    }),
    from: 'both',
    data: 'WebhookWithSecret',
  }),
  testWebhook: route('POST', '/v1/webhooks/{id}/test', {
    ...one,
    summary: 'Sends a test event, the body, to the webhook and answers with the outcome.',
    from: 'event',
    example: testEvent,
    data: 'WebhookTest',
    errors: [429],
  }),
};
