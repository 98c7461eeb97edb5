import type { MiddlewareObj } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import * as z from 'zod';
import { jsonProblem } from '../lib/json-problem.ts';
import { type ApiEvent, type ApiResult, exchangeOf } from './exchange.ts';
import { jsonBodyText, jsonObject, malformedJson } from './json-body.ts';

const ParserError = z.object({
  cause: z.object({ package: z.literal('@middy/http-json-body-parser'), message: z.string() }),
});

/** Reads the JSON body into the exchange: its text and its members. The body of a GET is ignored. */
export const jsonBody = (): MiddlewareObj<ApiEvent, ApiResult>[] => [
  { before: ({ event }) => normalize(event) },
  jsonBodyParser(),
  {
    before: ({ event }) => {
      const value: unknown = event.body;
      exchangeOf(event).json = jsonObject(value);
    },
    // The parser throws a 415; the API answers 400 `malformed_json` with the reason.
    onError: (request) => {
      const { data } = ParserError.safeParse(request.error);
      if (data) request.error = malformedJson(jsonProblem(exchangeOf(request.event).text ?? ''), request.error);
    },
  },
];

/** Generated clients send `null` for a body that they leave out. */
const NO_BODY = /^\s*null\s*$/;

/** Changes the event to what the parser accepts: text, the media type `application/json`, and `{}` for no body. */
function normalize(event: ApiEvent): void {
  const exchange = exchangeOf(event);
  const isEvent = exchange.match?.route.from === 'event';
  const sent = event.requestContext.http.method === 'GET' ? undefined : jsonBodyText(event, { isEvent });
  const text = sent !== undefined && NO_BODY.test(sent) ? undefined : sent;
  exchange.text = text;
  event.headers = { ...event.headers, 'content-type': 'application/json' };
  event.body = text ?? '{}';
  event.isBase64Encoded = false;
}
