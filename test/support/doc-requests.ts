import { readFileSync } from 'node:fs';

/** A request of a page and the part of the response's `data` that the page shows. */
export interface DocRequest {
  method: string;
  /** Below `/v1`, with placeholders such as `{webhook_id}`. */
  path: string;
  body: unknown;
  shown: unknown;
}

const PAIR = /```http\n(\w+) \/v1(\S+)(?: ([^\n]*))?\n```\s+```json\n(.*?)```/gs;

/** The requests of each section of a page, by heading. */
export function requestsIn(page: string): Map<string, DocRequest[]> {
  const [, ...sections] = readFileSync(page, 'utf8').split(/^## /m);
  return new Map(
    sections.map((section) => {
      const [heading = ''] = section.split('\n');
      const requests = [...section.matchAll(PAIR)].map(([, method = '', path = '', body, shown = '']): DocRequest => ({
        method,
        path,
        body: body === undefined ? undefined : JSON.parse(body),
        shown: JSON.parse(shown),
      }));
      return [heading, requests];
    }),
  );
}

/** The text with the known values in the place of its placeholders. */
export const filled = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values.get(name) ?? placeholder);

/**
 * Compares a response with what a page shows of it. `…` is any value; an unknown placeholder takes the value of the
 * response.
 */
export function isShown(shown: unknown, value: unknown, values: Map<string, string>): boolean {
  if (shown === '…') return value !== undefined && value !== null;
  if (typeof shown === 'string') {
    const [, name] = /^\{(\w+)\}$/.exec(shown) ?? [];
    if (name !== undefined && !values.has(name) && typeof value === 'string') values.set(name, value);
    return filled(shown, values) === value;
  }
  if (Array.isArray(shown)) {
    return (
      Array.isArray(value) &&
      value.length === shown.length &&
      shown.every((each, index) => isShown(each, value[index], values))
    );
  }
  if (typeof shown !== 'object' || shown === null) return shown === value;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(shown).every(([name, each]) => isShown(each, Reflect.get(value, name), values))
  );
}
