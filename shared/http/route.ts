import * as z from 'zod';
import type { Group } from './gateway-routes.ts';
import type { SchemaName } from './openapi/named-schemas.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * The source of an operation's parameters. `both`: the query, then the JSON body for parameters that the query lacks.
 * `event`: the body is an event, so no parameters are read from it.
 */
type InputSource = 'query' | 'body' | 'both' | 'event';

/**
 * Form of a success response. A `page` has `page_info`, a `list` has not; `none` has no body; `document`, `html` and
 * `stream` have no envelope; `redirect` sends a browser elsewhere.
 */
export type Envelope = 'single' | 'page' | 'list' | 'accepted' | 'none' | 'document' | 'html' | 'stream' | 'redirect';

/** One operation of the API, as data for the router, the input checks and the OpenAPI document. */
export interface Route<Path extends z.ZodType = z.ZodType, Input extends z.ZodType = z.ZodType> {
  group: Group;
  method: Method;
  /** Absolute path, with `{parameters}`. */
  path: string;
  summary: string;
  /** The parameters of `path`. */
  parameters: Path;
  input: Input;
  from: InputSource;
  /** Parameters of `both` that the OpenAPI document shows in the body; it shows the others in the query. */
  inBody: readonly string[];
  /** Parameters of a removal that narrow it: an empty one is refused. */
  narrowing: readonly string[];
  example?: object;
  envelope: Envelope;
  /** Name of the schema of one element of `data`. */
  data?: SchemaName;
  /** Whether `warnings` may stand beside `data`. */
  hasWarnings: boolean;
  /** Error statuses in addition to those of every operation. */
  errors: readonly number[];
  /** True for operations that Pipedream's REST API v1 does not have. */
  isExtension: boolean;
  /** True when no API key is needed. */
  isPublic: boolean;
}

const None = z.object({});

type RouteOptions<Path extends z.ZodType, Input extends z.ZodType> = Pick<Route<Path, Input>, 'group' | 'summary'> &
  Partial<Omit<Route<Path, Input>, 'method' | 'path'>>;

export function route<Path extends z.ZodType = typeof None, Input extends z.ZodType = typeof None>(
  method: Method,
  path: string,
  options: RouteOptions<Path, Input>,
): Route<Path, Input>;
export function route(method: Method, path: string, options: RouteOptions<z.ZodType, z.ZodType>): Route {
  return {
    method,
    path,
    parameters: None,
    input: None,
    from: method === 'GET' ? 'query' : 'body',
    inBody: [],
    narrowing: [],
    envelope: 'single',
    hasWarnings: false,
    errors: [],
    isExtension: false,
    isPublic: false,
    ...options,
  };
}

export const SUCCESS: Record<Envelope, number> = {
  single: 200,
  page: 200,
  list: 200,
  accepted: 202,
  none: 204,
  document: 200,
  html: 200,
  stream: 200,
  redirect: 302,
};
