import middy, { type MiddlewareObj } from '@middy/core';
import type * as z from 'zod';
import { API_HEADERS } from '../domain/api-headers.ts';
import { WANTS_BODY } from '../domain/head-check.ts';
import { type ClientConnection, clientIn } from '../lib/reading/client-connection.ts';
import { type FieldChoice, fieldNames } from '../lib/fields.ts';
import { RESPONSE_WITHIN_MS } from '../domain/time-limits.ts';
import type { Trace } from '../domain/event/trace.ts';
import { type ApiResponse, render } from './api-response.ts';
import { type AddAudit, audited } from './audit/audited.ts';
import { idsIn } from './audit/ids-in.ts';
import { type Caller, type Credentials, credentialsOf } from './authentication.ts';
import { check, invalidField } from '../domain/check.ts';
import { checkRemoval } from './query/check-removal.ts';
import { type ApiEvent, type ApiResult, type Exchange, exchangeOf } from './exchange.ts';
import { jsonBody } from './json-body-middleware.ts';
import type { Log } from '../lambda/log.ts';
import { logFault, problemResponse, problemOf } from './problem.ts';
import { type Query, readQuery } from './query/read-query.ts';
import type { RefusePausedChange } from '../service/admission/paused-changes.ts';
import { checkRight, isChange, rightOf } from './rights.ts';
import type { Route } from './route.ts';
import { type Match, createRouter } from './router.ts';

/** The parsed request that a handler gets. */
export interface Request<Path = unknown, Input = unknown> {
  parameters: Path;
  input: Input;
  caller: Caller;
  /** The raw body; only for routes whose body is an event. */
  text: string | undefined;
  /** Time by which the request must be answered, epoch ms. */
  deadline: number;
  trace: Trace | undefined;
  /** Scheme and host that the caller asked for. */
  origin: string;
  /** The fields of `data` that the caller chose. */
  fields: FieldChoice;
  /** A header, by its name in lower case. */
  header(name: string): string | undefined;
  clientIp: string;
  cookies: readonly string[];
  /** The query as it was sent. */
  rawQuery: string;
  /** Sets a cookie with the response. */
  setCookie(text: string): void;
  /** The caller's connection, where the host of the function has it. */
  client: ClientConnection | undefined;
  /** Names the trigger that the request made in the line of the request. */
  logTrigger(id: string): void;
  /** Names what a removal took along, for the audit log. */
  logRemoved(removed: Record<string, unknown>): void;
}

export interface Operation {
  route: Route;
  serve: (exchange: Exchange, match: Match, rawQuery: string) => Promise<ApiResult>;
}

export const operation = <Path extends z.ZodType, Input extends z.ZodType>(
  route: Route<Path, Input>,
  handle: (request: Request<z.output<Path>, z.output<Input>>) => Promise<ApiResponse> | ApiResponse,
): Operation => ({
  route,
  serve: async (exchange, { parameters }, rawQuery) => {
    const query = readQuery(rawQuery);
    if (route.method === 'DELETE') checkRemoval(route, query, exchange.json ?? {});
    const { input, fields } = inputOf(exchange, route, query);
    const checked = { parameters: check(route.parameters, parameters), input: check(route.input, input) };
    const response = await handle({
      ...checked,
      get caller() {
        if (!exchange.caller) throw new Error(`${route.path} is public and has no caller`);
        return exchange.caller;
      },
      text: route.from === 'event' ? exchange.text : undefined,
      deadline: exchange.startedAt + RESPONSE_WITHIN_MS,
      trace: exchange.trace,
      origin: exchange.origin,
      fields,
      header: (name) => exchange.headers[name],
      clientIp: exchange.clientIp,
      cookies: exchange.cookies,
      rawQuery,
      setCookie(text) {
        exchange.setCookies.push(text);
      },
      client: exchange.client,
      logTrigger(id) {
        exchange.triggerId = id;
      },
      logRemoved(removed) {
        exchange.removed = removed;
      },
    });
    exchange.done = { input: { ...Object(checked.input) }, data: 'one' in response ? { ...response.one } : undefined };
    return render(response, route, fields);
  },
});

export interface HttpOptions {
  authenticate: (credentials: Credentials) => Promise<Caller>;
  /** Absent where no operation changes anything. */
  refusePausedChange?: RefusePausedChange;
  log: Log;
  /** Absent where no operation changes anything. */
  addAudit?: AddAudit;
}

/** The one middleware stack behind every operation. */
export function createApiHandler(operations: Readonly<Record<string, Operation>>, options: HttpOptions) {
  const find = createRouter(operations);
  for (const name of Object.keys(operations)) rightOf(name);
  return middy<ApiEvent, ApiResult>({ timeoutEarlyInMillis: 0 })
    .use(responses(options.log))
    .use(authentication(find, options))
    .use(jsonBody())
    .handler(async (event) => {
      const exchange = exchangeOf(event);
      const { match } = exchange;
      const found = match && operations[match.operation];
      if (!match || !found) throw new Error(`No operation for ${event.rawPath}`);
      const serve = () => found.serve(exchange, match, event.rawQueryString);
      return options.addAudit && isChange(match.operation, match.route)
        ? audited({ exchange, match, operations, add: options.addAudit }, serve)
        : serve();
    });
}

/** The ids in the path of a request, such as those of a webhook and a delivery. */
const subjectOf = (parameters: Record<string, string> = {}): string | undefined =>
  idsIn(Object.values(parameters)).join(' ') || undefined;

/**
 * Turns every result and error into a response with the request id, and writes one log line. Must be the first
 * middleware.
 */
function responses(log: Log): MiddlewareObj<ApiEvent, ApiResult> {
  const served = ({ event }: { event: ApiEvent }, status: number, code?: string) => {
    const { match, caller, startedAt, requestId, triggerId, trace } = exchangeOf(event);
    log.info('request.served', {
      requestId,
      operation: match?.operation ?? 'none',
      method: event.requestContext.http.method,
      status,
      code,
      userId: caller?.userId,
      subject: subjectOf(match?.parameters),
      trigger: triggerId,
      trace: trace?.id,
      ms: Date.now() - startedAt,
    });
  };
  return {
    before: ({ event, context }) => {
      exchangeOf(event).client = clientIn(context);
    },
    after: (request) => {
      const { requestId, setCookies } = exchangeOf(request.event);
      const { statusCode = 200, headers, ...rest } = request.response ?? {};
      served(request, statusCode);
      request.response = {
        statusCode,
        ...rest,
        headers: { ...API_HEADERS, ...headers, 'x-request-id': requestId },
        ...(setCookies.length > 0 ? { cookies: setCookies } : {}),
      };
    },
    onError: (request) => {
      const { requestId } = exchangeOf(request.event);
      const problem = problemOf(request.error);
      logFault(log, 'request', requestId, problem);
      const response = problemResponse(problem, requestId);
      served(request, response.statusCode ?? 500, problem.code);
      request.response = { ...response, headers: { ...response.headers, ...API_HEADERS } };
    },
  };
}

/**
 * Authenticates before the router's 404, so that callers without a key cannot probe paths, and checks the scopes of the
 * key. Public routes need no key, and no body. Only after both is a body wanted that has not come yet.
 */
function authentication(
  find: (method: string, path: string) => Match,
  { authenticate, refusePausedChange }: HttpOptions,
): MiddlewareObj<ApiEvent, ApiResult> {
  return {
    before: async ({ event }): Promise<ApiResult | undefined> => {
      const exchange = exchangeOf(event);
      const found = attempt(() => find(event.requestContext.http.method, event.rawPath));
      if (!('value' in found && found.value.route.isPublic)) {
        exchange.caller = await authenticate(credentialsOf(event));
      }
      if ('error' in found) throw found.error;
      exchange.match = found.value;
      if (exchange.caller) checkRight(found.value.operation, exchange.caller, found.value.parameters);
      if (found.value.route.method !== 'GET') await refusePausedChange?.();
      return event.isHeadCheck === true && !found.value.route.isPublic ? WANTS_BODY : undefined;
    },
  };
}

function attempt<T>(work: () => T): { value: T } | { error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** The unchecked input from where the route takes it, and the choice of fields; the query wins over the body. */
function inputOf(
  { json = {} }: Exchange,
  { method, from }: Route,
  query: Query,
): { input: unknown; fields: FieldChoice } {
  const body = method === 'GET' || method === 'DELETE' || from === 'event' ? {} : json;
  const fields = {
    include: query.include ?? fieldsOf(body, 'include'),
    exclude: query.exclude ?? fieldsOf(body, 'exclude'),
  };
  const inputs = {
    query: () => query.values,
    body: () => json,
    both: () => ({ ...json, ...query.values }),
    event: () => ({}),
  };
  return { input: inputs[from](), fields };
}

function fieldsOf(json: Record<string, unknown>, name: 'include' | 'exclude'): string[] {
  const value = json[name];
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return fieldNames(value);
  throw invalidField(name, 'must be a string');
}
