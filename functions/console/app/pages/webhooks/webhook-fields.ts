import type { WebhookFormat } from '../../../../../shared/domain/webhook/webhook-format.ts';
import { textOfTarget, typedTarget, type WireTarget } from '../../../../../shared/domain/target/target-kind-names.ts';
import type { NewWebhookSettings } from '../../api/webhook-api.ts';
import type { Webhook } from '../../api/wire.ts';
import { textOfTags, typedTags } from '../../tags/typed-tags.ts';

export interface HeaderRow {
  name: string;
  value: string;
}

/** The settings of a webhook as a person types them. */
export interface WebhookFields {
  url: string;
  name: string;
  description: string;
  /** Empty without a limit. */
  rate_limit: string;
  /** Seconds with commas between; empty for the service's schedule. */
  retry_seconds: string;
  ordered: boolean;
  format: WebhookFormat;
  /** The ARN, and after a comma the ARN of a role; empty for requests to the URL. */
  target: string;
  headers: readonly HeaderRow[];
  /** Between commas. */
  tags: string;
}

export const NO_FIELDS: WebhookFields = {
  ...{ url: '', name: '', description: '', rate_limit: '', retry_seconds: '' },
  ordered: false,
  format: 'event',
  target: '',
  headers: [],
  tags: '',
};

export const typedFieldsOf = (stored: Webhook): WebhookFields => ({
  url: stored.url,
  name: stored.name ?? '',
  description: stored.description ?? '',
  rate_limit: String(stored.rate_limit ?? ''),
  retry_seconds: stored.retry_seconds?.length === 0 ? 'none' : (stored.retry_seconds ?? []).join(', '),
  ordered: stored.ordered,
  format: stored.format,
  target: textOfTarget(stored.target),
  headers: Object.entries(stored.headers).map(([header, value]) => ({ name: header, value })),
  tags: textOfTags(stored.tags),
});

/** The settings for a request. Throws a sentence for people about a field that says too little or too much. */
export const settingsOf = (typed: WebhookFields): NewWebhookSettings => ({
  url: typed.url.trim(),
  name: filled(typed.name),
  description: filled(typed.description),
  rate_limit: limitOf(typed.rate_limit),
  retry_seconds: pausesOf(typed.retry_seconds),
  ordered: typed.ordered,
  format: typed.format,
  target: targetOf(typed.target),
  headers: headersOf(typed.headers),
  tags: typedTags(typed.tags),
});

/** The settings that differ, for an update. Undefined when none does. */
export function changedSettings(before: WebhookFields, after: WebhookFields): Partial<NewWebhookSettings> | undefined {
  const stored = new Map<string, unknown>(Object.entries(settingsOf(before)));
  const changed = Object.entries(settingsOf(after)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(stored.get(field)),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** The edits that differ from those that were sent. */
export function editsSince(sent: Partial<WebhookFields>, latest: Partial<WebhookFields>): Partial<WebhookFields> {
  const values = new Map<string, unknown>(Object.entries(sent));
  return Object.fromEntries(Object.entries(latest).filter(([field, value]) => values.get(field) !== value));
}

const filled = (text: string): string | null => (text.trim() === '' ? null : text.trim());

function limitOf(text: string): number | null {
  const typed = text.trim();
  if (typed === '') return null;
  if (!/^\d+$/.test(typed)) throw new Error('Rate limit: enter a whole number from 1 to 1,000, or nothing.');
  return Number(typed);
}

/** The pauses as typed; undefined for another text than numbers, `none` and nothing. */
export function typedPauses(text: string): number[] | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  if (/^none$/i.test(typed)) return [];
  const pauses = typed.split(/[\s,]+/);
  return pauses.every((pause) => /^\d+$/.test(pause)) ? pauses.map(Number) : undefined;
}

function pausesOf(text: string): number[] | null {
  const pauses = typedPauses(text);
  if (pauses === undefined) throw new Error('Retries: enter seconds with commas between, "none", or nothing.');
  return pauses;
}

function targetOf(text: string): WireTarget | null {
  if (text.trim() === '') return null;
  const target = typedTarget(text);
  if (!target) throw new Error('Target: enter the ARN of an event bus or a queue, or nothing.');
  return target;
}

/** Rows without a name and a value are left out. */
function headersOf(rows: readonly HeaderRow[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const { name: typed, value } of rows) {
    const name = typed.trim();
    if (name === '' && value.trim() === '') continue;
    if (name === '') throw new Error('Headers: give each header that has a value a name.');
    if (headers.has(name)) throw new Error(`Headers: ${name} is there twice.`);
    headers.set(name, value.trim());
  }
  return Object.fromEntries(headers);
}
