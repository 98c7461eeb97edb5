import type { NewWebhookSettings } from '../../api/webhook-api.ts';
import type { Webhook } from '../../api/wire.ts';

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
  headers: readonly HeaderRow[];
}

export const NO_FIELDS: WebhookFields = { url: '', name: '', description: '', rate_limit: '', headers: [] };

export const typedFieldsOf = ({ url, name, description, rate_limit: limit, headers }: Webhook): WebhookFields => ({
  url,
  name: name ?? '',
  description: description ?? '',
  rate_limit: limit === null ? '' : String(limit),
  headers: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
});

/** The settings for a request. Throws a sentence for people about a field that says too little or too much. */
export const settingsOf = ({
  url,
  name,
  description,
  rate_limit: limit,
  headers,
}: WebhookFields): NewWebhookSettings => ({
  url: url.trim(),
  name: filled(name),
  description: filled(description),
  rate_limit: limitOf(limit),
  headers: headersOf(headers),
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
