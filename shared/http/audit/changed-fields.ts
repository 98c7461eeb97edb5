import { cut } from '../../lib/cut.ts';
import { toJson } from '../../lib/json-text.ts';

/** Shown without path and query, which may be credentials. */
const URLS = ['url', 'component_url'];
/** Fields of the API whose values the audit log keeps. */
export const SHOWN_FIELDS = [
  ...['name', 'description', ...URLS, 'active', 'tags', 'app', 'account_id', 'kind', 'field_names', 'status'],
  ...['component_id', 'key', 'version', 'component_path', 'path', 'endpoint', 'target', 'format', 'ordered'],
  ...['rate_limit', 'retry_seconds', 'emitter_id', 'listener_id', 'event_name', 'filter', 'start_id', 'end_id'],
  ...['scopes', 'expires_at_ms', 'overlap_seconds', 'overlap_until_ms', 'revoke', 'force', 'since_ms', 'outcome'],
  ...['webhook_id', 'color'],
];
/** Secrets, code and values of props: the log says only that they were set or changed. */
export const HIDDEN_FIELDS = [
  ...['secret', 'api_key', 'headers', 'fields', 'parameters', 'configured_props'],
  ...['code', 'component_code', 'component_files'],
];
/** Numbers of things that end with a source, a webhook or an account. */
const TAKEN_ALONG = ['waiting', 'held_count', 'used_by'];

const LONGEST_VALUE = 200;
/** Bytes of the members of one entry; its ids and names take less than 1 KB. */
const MAX_BYTES = 1_000;

type Fields = Readonly<Record<string, unknown>>;

export interface Change {
  isRemoval: boolean;
  /** The thing as a GET shows it, before the change and after it. */
  before: Fields | undefined;
  after: Fields | undefined;
  /** The parameters of the request. */
  input: Fields;
  removed: Fields | undefined;
}

/** The fields that differ, as JSON texts of objects. */
export function changedFields({ isRemoval, before, after, input, removed }: Change) {
  const old: Fields = isRemoval ? { ...input, ...before } : (before ?? {});
  const next: Fields = isRemoval ? {} : { ...input, ...after };
  const isChanged = (name: string) => toJson(old[name] ?? null) !== toJson(next[name] ?? null);
  const hidden = new Set(
    isRemoval ? [] : [...HIDDEN_FIELDS, ...URLS].filter((name) => Object.hasOwn(input, name) || isChanged(name)),
  );
  const members: Record<'before' | 'after' | 'removed', string[]> = { before: [], after: [], removed: [] };
  let isShortened = false;
  let left = MAX_BYTES;
  const keep = (part: keyof typeof members, name: string, value: unknown): void => {
    const { text, isCut } = shownText(name, value);
    const member = `${JSON.stringify(name)}:${text}`;
    const bytes = Buffer.byteLength(member);
    isShortened ||= isCut || bytes > left;
    if (bytes > left) {
      hidden.add(name);
      return;
    }
    left -= bytes;
    members[part].push(member);
  };
  for (const name of SHOWN_FIELDS.filter(isChanged)) {
    if (Object.hasOwn(old, name)) keep('before', name, old[name]);
    if (!isRemoval) keep('after', name, next[name]);
  }
  const counts = isRemoval ? TAKEN_ALONG.filter((name) => Number(old[name]) > 0) : [];
  for (const name of counts) keep('removed', name, old[name]);
  for (const [name, value] of Object.entries(removed ?? {})) keep('removed', name, value);
  const objectOf = (part: string[]) => (part.length === 0 ? undefined : `{${part.join(',')}}`);
  return {
    before: objectOf(members.before),
    after: objectOf(members.after),
    removed: objectOf(members.removed),
    hidden: [...hidden],
    isShortened,
  };
}

function shownText(name: string, value: unknown): { text: string; isCut: boolean } {
  const shown = URLS.includes(name) && typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : value;
  const text = toJson(shown ?? null);
  if (text.length <= LONGEST_VALUE) return { text, isCut: false };
  return { text: JSON.stringify(`${cut(typeof shown === 'string' ? shown : text, LONGEST_VALUE)}…`), isCut: true };
}
