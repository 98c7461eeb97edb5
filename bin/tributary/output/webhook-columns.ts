import { textOfTarget } from '../../../shared/domain/target/target-kind-names.ts';
import { triesOf } from '../../../shared/domain/delivery/retry-schedule.ts';
import type { WebhookSettings } from '../../../shared/domain/webhook/webhook.ts';
import type { WireFields } from '../../../shared/http/settings/wire-fields.ts';
import type { Webhook } from '../session/response-schemas.ts';
import type { Output } from './printer.ts';
import { type Column, TAGS } from './text-table.ts';

const stateOf = ({ active, disabled_reason: reason }: Webhook): string =>
  active ? 'active' : `off${reason == null ? '' : ` (${reason})`}`;

export const lastOutcomeOf = ({ last_attempt: last }: Webhook): string =>
  last == null ? '' : `${last.outcome} ${last.status ?? ''}`.trim();

const FAILURES: Readonly<Record<string, string>> = {
  timed_out: 'no response in time',
  unreachable: 'unreachable',
  blocked: 'its address is not allowed',
};

/** Why the last attempt failed. */
export const failureWords = (webhook: Webhook): string =>
  FAILURES[webhook.last_attempt?.outcome ?? ''] ?? lastOutcomeOf(webhook);

const { name, url, active, tags, ...others } = {
  name: { heading: 'NAME', of: ({ name }) => name },
  url: { heading: 'URL', of: ({ url }) => url },
  active: { heading: 'STATE', of: stateOf },
  description: { heading: 'DESCRIPTION', of: ({ description }) => description },
  headers: { heading: 'HEADERS', of: ({ headers }) => Object.keys(headers ?? {}).join(', ') },
  rate_limit: { heading: 'RATE LIMIT', of: ({ rate_limit: limit }) => limit },
  retry_seconds: {
    heading: 'RETRIES',
    of: ({ retry_seconds: pauses, ordered }) => triesOf(pauses ?? null, ordered ?? false),
  },
  ordered: { heading: 'ORDERED', of: ({ ordered }) => (ordered === true ? 'yes' : undefined) },
  format: { heading: 'FORMAT', of: ({ format }) => format },
  target: { heading: 'TARGET', of: ({ target }) => textOfTarget(target) },
  tags: TAGS,
} satisfies WireFields<WebhookSettings, Column<Webhook>>;

export const webhookColumns: readonly Column<Webhook>[] = [
  { heading: 'ID', of: ({ id }) => id },
  ...[name, url, active],
  { heading: 'LAST ATTEMPT', drop: 2, at: ({ last_attempt: last }) => last?.at_ms },
  { heading: 'OUTCOME', drop: 1, of: lastOutcomeOf },
  tags,
];

/** The service shows a secret once: `-q`, which prints ids only, leaves it to stderr. */
export function noteSecret(output: Pick<Output, 'quiet' | 'json' | 'note'>, { secret }: Webhook): void {
  if (output.quiet && !output.json && secret !== undefined) output.note(`Secret, shown once: ${secret}`);
}

export const webhookDetails: readonly Column<Webhook>[] = [
  ...webhookColumns,
  ...Object.values(others),
  { heading: 'FAILING SINCE', at: ({ failing_since_ms: at }) => at },
  { heading: 'NEXT ATTEMPT', at: ({ next_attempt_ms: at }) => at },
  { heading: 'SLOW SINCE', at: ({ slow_since_ms: at }) => at },
  { heading: 'HELD', of: ({ held_count: count }) => count },
  { heading: 'CREATED', at: ({ created_at: at }) => at * 1_000 },
];
