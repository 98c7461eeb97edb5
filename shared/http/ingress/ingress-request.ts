import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { CarriedEvent } from '../../domain/carried-event.ts';
import { ServiceError } from '../../domain/errors.ts';
import { appEvent, httpEvent, LARGEST_HTTP_BODY } from '../../domain/http-event.ts';

/** The fields of the gateway's event that the ingress uses. */
export type IngressEvent = Pick<
  APIGatewayProxyEventV2,
  'rawPath' | 'rawQueryString' | 'headers' | 'cookies' | 'body' | 'isBase64Encoded'
> & { requestContext: { requestId: string; http: { method: string } } };

/** The ids of a request, for its line in the log. Its path is no part of them: the path of an endpoint is a secret. */
export type LogIds = (ids: { emitter?: string; trigger?: string; trace?: string | undefined }) => void;

export interface EndpointPath {
  endpointId: string;
  /** Path after the endpoint id; `/` when empty. */
  path: string;
}

export function endpointPath(rawPath: string): EndpointPath | undefined {
  const [, endpointId, path] = /^\/([A-Za-z0-9_-]{1,128})(\/.*)?$/s.exec(rawPath) ?? [];
  return endpointId === undefined ? undefined : { endpointId, path: path ?? '/' };
}

/** API Gateway passes cookies separately; they are joined to one `cookie` header. */
function headersOf({ headers, cookies = [] }: IngressEvent): Map<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all.set(name.toLowerCase(), value);
  }
  if (cookies.length > 0) all.set('cookie', cookies.join('; '));
  return all;
}

/** The source's event of an HTTP request. */
export function httpEventOf(event: IngressEvent, path: string): CarriedEvent {
  const body = boundedBody(event);
  return httpEvent({
    method: event.requestContext.http.method,
    path,
    query: event.rawQueryString,
    headers: headersOf(event),
    body,
  });
}

/** The source's event of an app's request. */
export const appEventOf = (event: IngressEvent): CarriedEvent =>
  appEvent(boundedBody(event), headersOf(event).get('content-type') ?? '');

/** A text body stays a string: as bytes it would be decoded again. */
function boundedBody(event: IngressEvent): Buffer | string | undefined {
  const { body, isBase64Encoded } = event;
  if (body === undefined) return undefined;
  if (!isBase64Encoded) {
    // A UTF-16 unit has at most 3 bytes in UTF-8, so most bodies need no byte count.
    if (body.length * 3 <= LARGEST_HTTP_BODY || Buffer.byteLength(body) <= LARGEST_HTTP_BODY) return body;
    throw tooLarge();
  }
  const bytes = Buffer.from(body, 'base64');
  if (bytes.length > LARGEST_HTTP_BODY) throw tooLarge();
  return bytes;
}

const tooLarge = () =>
  new ServiceError(
    'too_large',
    'too_large',
    'The body of a request to an endpoint must not exceed 512 KB; send a link to larger data.',
  );
