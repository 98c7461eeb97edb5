import * as z from 'zod';
import type { Requested } from '../../domain/requested.ts';
import { WEBHOOK_TEXTS } from '../../domain/setting-texts.ts';
import { Description, Name } from '../../domain/text.ts';
import { WebhookUrl } from '../../domain/url.ts';
import type { WebhookSettings } from '../../domain/webhook/webhook.ts';
import { HeadersInput } from '../../domain/delivery/webhook-headers.ts';
import type { ParsedFields, WireFields } from './wire-fields.ts';

const MAX_RATE = 1_000;
const RateLimit = z.int('must be an integer').min(1, 'must be at least 1').max(MAX_RATE, `must be at most ${MAX_RATE}`);

/** The settings of a webhook in a request, in the order in which a wrong request names them. */
export const webhookFields = {
  url: WebhookUrl.describe(WEBHOOK_TEXTS.url),
  name: Name.describe(WEBHOOK_TEXTS.name).nullish(),
  description: Description.describe(WEBHOOK_TEXTS.description).nullish(),
  active: z.boolean('must be true or false').describe(WEBHOOK_TEXTS.active).optional(),
  headers: HeadersInput.describe(WEBHOOK_TEXTS.headers).nullish(),
  rate_limit: RateLimit.describe(WEBHOOK_TEXTS.rate_limit).nullish(),
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
