import * as z from 'zod';
import { isHeaderOfProxies } from './proxy-headers.ts';

/** Headers that a webhook's owner chose: pairs, because a name may be any token, also `__proto__`. */
export const WebhookHeaders = z.array(z.tuple([z.string(), z.string()]));
export type WebhookHeaders = z.infer<typeof WebhookHeaders>;

const MAX_HEADERS = 20;
const LONGEST_NAME = 256;
const LONGEST_VALUE = 1_024;

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, with spaces and tabs only inside. */
const VALUE = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;

const RESERVED = new Set([
  'host',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'user-agent',
  'traceparent',
  'tracestate',
]);
const RESERVED_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-tributary-'];
/** In lower case, with `-` for `_`: receivers behind CGI or WSGI do not distinguish the two. */
const comparable = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** Whether the service sets the header, or it belongs to the connection. */
export function isReservedHeader(name: string): boolean {
  const compared = comparable(name);
  return RESERVED.has(compared) || RESERVED_PREFIXES.some((prefix) => compared.startsWith(prefix));
}

export const isRefusedHeader = (name: string): boolean => isReservedHeader(name) || isHeaderOfProxies(comparable(name));

/** The problem of one header; undefined for a valid one. */
function headerProblem(name: string, value: unknown): string | undefined {
  if (name.length > LONGEST_NAME) return `must have a name of at most ${LONGEST_NAME} characters`;
  if (!TOKEN.test(name)) return 'must have a name of letters, digits and hyphens';
  if (isReservedHeader(name)) return 'must not be set: the service sets it, or it belongs to the connection';
  if (isHeaderOfProxies(comparable(name)))
    return 'must not be set: receivers take it as the word of a proxy about its client';
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > LONGEST_VALUE) return `must have at most ${LONGEST_VALUE} characters`;
  if (!VALUE.test(value)) return 'must have visible ASCII characters, with spaces and tabs only inside';
  return undefined;
}

/** An object of header values by name, as in a request. Replaces all headers; null clears them. */
export const HeadersInput = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .transform((object, context): WebhookHeaders => {
    const headers: WebhookHeaders = [];
    const names = new Map<string, string>();
    const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
    for (const [name, value] of Object.entries(object)) {
      const problem = headerProblem(name, value);
      const other = names.get(name.toLowerCase());
      if (problem !== undefined) refuse([name], problem);
      else if (other !== undefined) refuse([name], `must not differ from ${other} only by case`);
      else if (typeof value === 'string') headers.push([name, value]);
      names.set(name.toLowerCase(), name);
    }
    if (names.size > MAX_HEADERS) refuse([], `must have at most ${MAX_HEADERS} names`);
    return headers;
  })
  .meta({ jsonSchema: { type: 'object', additionalProperties: { type: 'string' } } });
