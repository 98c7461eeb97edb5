import { chosenFields, type FieldChoice } from '../lib/fields.ts';
import { toJson } from '../lib/json-text.ts';
import type { LiveStream } from '../service/live/open-live-stream.ts';
import { encodedBody } from './encoded-body.ts';
import type { ApiResult } from './exchange.ts';
import { type Route, SUCCESS } from './route.ts';

/** The response of a handler, before `include` and `exclude` are applied. */
export type ApiResponse = One | Page | All | Nothing | Finished | EventStream;

interface One {
  one: object;
  /** Sentences beside the object. */
  warnings?: readonly string[];
}
interface All {
  all: readonly object[];
}
interface Nothing {
  nothing: true;
}
/** A response that needs no envelope: a file. */
interface Finished {
  finished: ApiResult;
}
interface EventStream {
  stream: LiveStream;
}
interface Page {
  page: readonly object[];
  totalCount: number;
  /** Cursors of the first and the last item; null for an empty page. */
  startCursor: string | null;
  endCursor: string | null;
}

export const one = (data: object): One => ({ one: data });
/** One object, with warnings if there are any. */
export const oneWith = (data: object, warnings: readonly string[]): One =>
  warnings.length === 0 ? one(data) : { one: data, warnings };
export const all = (data: readonly object[]): All => ({ all: data });
export const nothing: Nothing = { nothing: true };
export const finished = (result: ApiResult): Finished => ({ finished: result });

export const page = <T extends object>(
  items: readonly T[],
  { totalCount, cursorOf, show }: { totalCount: number; cursorOf: (item: T) => string; show: (item: T) => object },
): Page => {
  const [first] = items;
  const last = items.at(-1);
  const startCursor = first ? cursorOf(first) : null;
  return pageWith(items, { totalCount, startCursor, endCursor: last ? cursorOf(last) : null, show });
};

/** A page with cursors that need not be those of its items. */
export const pageWith = <T extends object>(
  items: readonly T[],
  { show, ...page }: Omit<Page, 'page'> & { show: (item: T) => object },
): Page => ({ page: items.map(show), ...page });

export function render(response: ApiResponse, route: Route, fields: FieldChoice): ApiResult {
  const statusCode = SUCCESS[route.envelope];
  if (statusCode === 204) return { statusCode };
  if ('finished' in response) return response.finished;
  if ('stream' in response) return streamResult(response);
  const body = encodedBody(toJson(bodyOf(response, fields)));
  return { statusCode, headers: { 'content-type': 'application/json' }, ...body };
}

const streamResult = ({ stream }: EventStream): ApiResult => ({
  statusCode: 200,
  // A reverse proxy such as nginx would gather the stream otherwise.
  headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  stream,
});

function bodyOf(response: Exclude<ApiResponse, Finished | EventStream>, fields: FieldChoice): object {
  if ('one' in response) {
    const { one: data, warnings } = response;
    return { data: chosenFields(data, fields), ...(warnings ? { warnings } : {}) };
  }
  if ('all' in response) return { data: response.all.map((element) => chosenFields(element, fields)) };
  if ('nothing' in response) return { data: {} };
  const { page: elements, totalCount, startCursor, endCursor } = response;
  return {
    page_info: {
      total_count: totalCount,
      count: elements.length,
      start_cursor: startCursor,
      end_cursor: endCursor,
    },
    data: elements.map((element) => chosenFields(element, fields)),
  };
}

/** Limit of a page; as base64 it stays below Lambda's limit of 6 MB. */
export const LARGEST_PAGE_BYTES = 4_500_000;

/** The elements nearest to the cursor that fit into one page; at least one. */
export function fitting<T>(elements: readonly T[], bytesOf: (element: T) => number, fromTheEnd: boolean): T[] {
  const inOrder = fromTheEnd ? elements.toReversed() : elements;
  const kept: T[] = [];
  let bytes = 0;
  for (const element of inOrder) {
    bytes += bytesOf(element);
    if (bytes > LARGEST_PAGE_BYTES && kept.length > 0) break;
    kept.push(element);
  }
  return fromTheEnd ? kept.reverse() : kept;
}
