import * as z from 'zod';
import { WEBHOOK_FORMATS } from '../../domain/webhook/webhook-format.ts';
import type { Requested } from '../../domain/requested.ts';
import { WEBHOOK_TEXTS } from '../../domain/setting-texts.ts';
import { Tags } from '../../domain/tags.ts';
import { Description, Name } from '../../domain/text.ts';
import { WebhookUrl } from '../../domain/url.ts';
import type { WebhookSettings } from '../../domain/webhook/webhook.ts';
import { HeadersInput } from '../../domain/delivery/webhook-headers.ts';
import { TargetInput } from './target-input.ts';
import type { ParsedFields, WireFields } from './wire-fields.ts';

const MAX_RATE = 1_000;
const RateLimit = z.int('must be an integer').min(1, 'must be at least 1').max(MAX_RATE, `must be at most ${MAX_RATE}`);

const MAX_RETRIES = 20;
const MAX_PAUSE_S = 86_400;
const MAX_SCHEDULE_S = 7 * MAX_PAUSE_S;
const Pause = z
  .int('must be an integer')
  .min(1, 'must be at least 1')
  .max(MAX_PAUSE_S, 'must be at most 86,400, a day in seconds');
const RetrySeconds = z
  .array(Pause, 'must be an array of seconds')
  .max(MAX_RETRIES, `must have at most ${MAX_RETRIES} numbers`)
  .refine(
    (pauses) => pauses.reduce((sum, pause) => sum + pause, 0) <= MAX_SCHEDULE_S,
    'must be at most 7 days together',
  );
const Format = z.enum(WEBHOOK_FORMATS, `must be one of ${WEBHOOK_FORMATS.join(', ')}`);

/** The settings of a webhook in a request, in the order in which a wrong request names them. */
export const webhookFields = {
  url: WebhookUrl.describe(WEBHOOK_TEXTS.url),
  name: Name.describe(WEBHOOK_TEXTS.name).nullish(),
  description: Description.describe(WEBHOOK_TEXTS.description).nullish(),
  active: z.boolean('must be true or false').describe(WEBHOOK_TEXTS.active).optional(),
  headers: HeadersInput.describe(WEBHOOK_TEXTS.headers).nullish(),
  rate_limit: RateLimit.describe(WEBHOOK_TEXTS.rate_limit).nullish(),
  retry_seconds: RetrySeconds.describe(WEBHOOK_TEXTS.retry_seconds).nullish(),
  ordered: z.boolean('must be true or false').describe(WEBHOOK_TEXTS.ordered).optional(),
  format: Format.describe(WEBHOOK_TEXTS.format).optional(),
  target: TargetInput.describe(WEBHOOK_TEXTS.target).nullish(),
  tags: Tags.describe(WEBHOOK_TEXTS.tags).nullish(),
} satisfies WireFields<WebhookSettings, z.ZodType>;

/** Null clears headers and tags. */
export const webhookSettingsOf = ({
  url,
  name,
  description,
  active,
  headers,
  rate_limit: rateLimit,
  retry_seconds: retrySeconds,
  ordered,
  format,
  target,
  tags,
}: ParsedFields<typeof webhookFields>): Requested<WebhookSettings> => ({
  url,
  name,
  description,
  active,
  headers: headers === null ? [] : headers,
  rateLimit,
  retrySeconds,
  ordered,
  format,
  target,
  tags: tags === null ? [] : tags,
});
