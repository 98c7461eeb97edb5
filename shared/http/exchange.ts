import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Caller } from './authentication.ts';
import type { Match } from './router.ts';

/** State of one request, filled in by the middlewares. */
export interface Exchange {
  requestId: string;
  startedAt: number;
  match?: Match;
  caller?: Caller;
  /** The body's text as it was sent; undefined when it is empty. */
  text?: string | undefined;
  /** The body's members. */
  json?: Record<string, unknown>;
}

/** The gateway's event with the request's state. */
export interface ApiEvent extends APIGatewayProxyEventV2 {
  exchange?: Exchange;
}

export type ApiResult = APIGatewayProxyStructuredResultV2;

export function exchangeOf(event: ApiEvent): Exchange {
  event.exchange ??= { requestId: event.requestContext.requestId, startedAt: Date.now() };
  return event.exchange;
}
