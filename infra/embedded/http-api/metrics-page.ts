import * as z from 'zod';
import { missingScope } from '../../../shared/domain/user/key-refusals.ts';
import type { MetricsText } from '../metrics/metrics-text.ts';
import type { Received } from './event.ts';
import type { HttpApi } from './http-api.ts';
import { newRequestId } from './request-id.ts';
import { type HttpResponse, unavailable } from './responses/http-response.ts';
import { type Refusal, refusalResponse } from './responses/refusal.ts';
import { StreamedBody } from './responses/streamed-body.ts';

/** Answers `/metrics`. Undefined for requests to other paths. */
export type MetricsPage = (received: Received, api: HttpApi | undefined) => Promise<HttpResponse> | undefined;

/** The user of the operator. */
const OPERATOR_NAME = 'admin';
/** The scope of a key that Prometheus has. */
const SCOPE = 'metrics';
const EMPTY = Buffer.alloc(0);

const Key = z.object({ data: z.object({ username: z.string(), scopes: z.array(z.string()) }) });

const notOperator: Refusal = {
  status: 401,
  code: 'unauthenticated',
  message: `This is the API key of a user: metrics are for the operator. Send the API key of the user ${OPERATOR_NAME}.`,
};
const { code, message, details } = missingScope(SCOPE, 'This path');
const notInScope: Refusal = { status: 403, code, message, details };
const onlyGet: Refusal = { status: 405, code: 'method_not_allowed', message: 'This path accepts GET only.' };

/** The text is loaded with the first request: a service that nobody watches does not load its library. */
export function createMetricsPage(load: () => Promise<MetricsText>): MetricsPage {
  let loaded: Promise<MetricsText> | undefined;
  const page = async (received: Received, api: HttpApi | undefined) => {
    const refused = await refusalOf(received, api);
    if (refused) return refused;
    const { contentType, read } = await (loaded ??= load());
    const headers = ['Content-Type', contentType, 'Cache-Control', 'no-store'];
    return { status: 200, headers, body: await read() };
  };
  return (received, api) => (/^\/metrics\/?$/.test(received.path) ? page(received, api) : undefined);
}

/** The API itself knows whose key it is. */
async function refusalOf(received: Received, api: HttpApi | undefined): Promise<HttpResponse | undefined> {
  const asked = { ...received, method: 'GET', path: '/v1/keys/current', query: '', body: EMPTY };
  const key = await api?.handle(asked);
  if (key === undefined || key.body instanceof StreamedBody) return unavailable;
  const { status, headers, body } = key;
  if (status !== 200) return { status, headers, body };
  const { username, scopes } = Key.parse(JSON.parse(String(body))).data;
  if (username !== OPERATOR_NAME) return refusalResponse(notOperator, newRequestId());
  if (!scopes.includes(SCOPE)) return refusalResponse(notInScope, newRequestId());
  if (received.method === 'GET') return undefined;
  const refusal = refusalResponse(onlyGet, newRequestId());
  return { ...refusal, headers: [...refusal.headers, 'Allow', 'GET'] };
}
