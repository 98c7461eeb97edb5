import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ServiceError } from '../../domain/errors.ts';
import { appEvent, httpEvent, LARGEST_HTTP_BODY } from '../../domain/http-event.ts';

/** Of the gateway's event what the ingress looks at. */
export type IngressEvent = Pick<
  APIGatewayProxyEventV2,
  'rawPath' | 'rawQueryString' | 'headers' | 'cookies' | 'body' | 'isBase64Encoded'
> & { requestContext: { requestId: string; http: { method: string } } };

const bodyOf = ({ body, isBase64Encoded }: IngressEvent): Buffer | undefined =>
  body === undefined ? undefined : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

export interface EndpointPath {
  endpointId: string;
  /** What follows it, `/` for nothing. */
  path: string;
}

export function endpointPath(rawPath: string): EndpointPath | undefined {
  const [, endpointId, path] = /^\/([A-Za-z0-9_-]{1,128})(\/.*)?$/s.exec(rawPath) ?? [];
  return endpointId === undefined ? undefined : { endpointId, path: path ?? '/' };
}

/** Names arrive in lower case and once each; cookies arrive apart. */
function headersOf({ headers, cookies = [] }: IngressEvent): Map<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all.set(name.toLowerCase(), value);
  }
  if (cookies.length > 0) all.set('cookie', cookies.join('; '));
  return all;
}

/** The JSON text that the source's `run` gets. */
export function httpEventOf(event: IngressEvent, path: string): string {
  const body = boundedBody(event);
  return httpEvent({
    method: event.requestContext.http.method,
    path,
    query: event.rawQueryString,
    headers: headersOf(event),
    body,
  });
}

/** The same for a source that an app sends its events to. */
export const appEventOf = (event: IngressEvent): string =>
  appEvent(boundedBody(event), headersOf(event).get('content-type') ?? '');

function boundedBody(event: IngressEvent): Buffer | undefined {
  const body = bodyOf(event);
  if (!body || body.length <= LARGEST_HTTP_BODY) return body;
  throw new ServiceError(
    'too_large',
    'too_large',
    'The body of a request to an endpoint has at most 512 KB.',
  );
}
