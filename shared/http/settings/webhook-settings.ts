import * as z from 'zod';
import type { Requested } from '../../domain/requested.ts';
import { Description, Name } from '../../domain/text.ts';
import { WebhookUrl } from '../../domain/url.ts';
import type { WebhookSettings } from '../../domain/webhook/webhook.ts';
import { HeadersInput } from '../../domain/delivery/webhook-headers.ts';
import type { ParsedFields, WireFields } from './wire-fields.ts';

const MAX_RATE = 1_000;
const RateLimit = z
  .int('must be an integer')
  .min(1, 'must be at least 1')
  .max(MAX_RATE, `must be at most ${MAX_RATE}`)
  .describe('The most attempts per second, tests excepted.');

/** The settings of a webhook in a request, in the order in which a wrong request names them. */
export const webhookFields = {
  url: WebhookUrl.describe('The http(s) address that events are delivered to.'),
  name: Name.describe('A name.').nullish(),
  description: Description.describe('A description.').nullish(),
  active: z.boolean('must be true or false').describe('Whether events are delivered.').optional(),
  headers: HeadersInput.describe('Headers that every request to the webhook carries, by name.').nullish(),
  rate_limit: RateLimit.nullish(),
} satisfies WireFields<WebhookSettings, z.ZodType>;

/** Null clears headers. */
export const webhookSettingsOf = ({
  url,
  name,
  description,
  active,
  headers,
  rate_limit: rateLimit,
}: ParsedFields<typeof webhookFields>): Requested<WebhookSettings> => ({
  url,
  name,
  description,
  active,
  headers: headers === null ? [] : headers,
  rateLimit,
});
