import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { HeadCheck } from '../domain/head-check.ts';
import type { Caller } from './authentication.ts';
import { traceFields, type Trace } from '../domain/event/trace.ts';
import type { ClientConnection } from '../lib/reading/client-connection.ts';
import type { LiveStream } from '../service/live/open-live-stream.ts';
import type { Match } from './router.ts';

interface Done {
  input: Record<string, unknown>;
  data: Record<string, unknown> | undefined;
}

/** State of one request, filled in by the middlewares. */
export interface Exchange {
  requestId: string;
  startedAt: number;
  trace?: Trace;
  /** Scheme and host that the caller asked for. */
  origin: string;
  headers: APIGatewayProxyEventV2['headers'];
  clientIp: string;
  cookies: readonly string[];
  /** Cookies of the response. */
  setCookies: string[];
  client?: ClientConnection | undefined;
  match?: Match;
  caller?: Caller;
  /** The trigger that the request made. */
  triggerId?: string;
  /** The body's text as it was sent; undefined when it is empty. */
  text?: string | undefined;
  /** The body's members. */
  json?: Record<string, unknown>;
  /** The parameters and the `data` of an operation that was done. */
  done?: Done;
  /** The number of things, or their names, that a removal took along. */
  removed?: Record<string, unknown>;
}

/** The gateway's event with the request's state. */
export interface ApiEvent extends APIGatewayProxyEventV2, HeadCheck {
  exchange?: Exchange;
}

export interface ApiResult extends APIGatewayProxyStructuredResultV2 {
  /** The body, if it is a stream of events. */
  stream?: LiveStream;
}

export function exchangeOf(event: ApiEvent): Exchange {
  event.exchange ??= {
    requestId: event.requestContext.requestId,
    startedAt: Date.now(),
    origin: originOf(event.headers),
    headers: event.headers,
    clientIp: event.requestContext.http.sourceIp,
    cookies: event.cookies ?? [],
    setCookies: [],
    ...traceFields(event.headers),
  };
  return event.exchange;
}

/** API Gateway names the scheme. A host that is no host name is not repeated. */
function originOf({ host = '', 'x-forwarded-proto': protocol }: ApiEvent['headers']): string {
  const name = /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i.test(host) ? host : 'localhost';
  return `${protocol === 'https' ? 'https' : 'http'}://${name}`;
}
