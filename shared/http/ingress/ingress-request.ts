import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { EncodedBody } from '../../domain/event/http-body.ts';
import { LARGEST_HTTP_BODY } from '../../domain/event/http-event.ts';
import type { HeadCheck } from '../../domain/head-check.ts';
import { isSessionCookie } from '../../domain/person/session-names.ts';
import { isHealthPath } from '../../domain/service-health.ts';
import { endpointLabelReader, originOf, pathBase } from '../../domain/source/endpoint-address.ts';
import { unreadBytes } from '../unread-bytes.ts';
import { decodedContent, tooLarge } from './content-encoding.ts';
import { isMultipart, multipartParts } from './multipart.ts';

/** The fields of the gateway's event that the ingress uses. */
export type IngressEvent = Pick<
  APIGatewayProxyEventV2,
  'rawPath' | 'rawQueryString' | 'headers' | 'cookies' | 'body' | 'isBase64Encoded'
> &
  HeadCheck & { requestContext: { requestId: string; http: { method: string; sourceIp: string } } };

/** The ids of a request, for its line in the log. Its path is no part of them: the path of an endpoint is a secret. */
export type LogIds = (ids: { emitter?: string; trigger?: string; trace?: string | undefined }) => void;

export interface IngressRequest extends IngressEvent {
  /** The endpoint of the address; undefined for a workflow, and for an address of neither. */
  endpoint: EndpointTarget | undefined;
  isToWorkflow: boolean;
  isHealthCheck: boolean;
}

interface EndpointTarget {
  endpointId: string;
  /** Decoded path after the address of the endpoint; `/` when empty. */
  path: string;
  /** The address as the sender wrote it, without its query. */
  address: string;
}

/** Reads the address of a request. At the own host of an endpoint every path is the component's. */
export function createIngressReader(ingressUrl: string): (event: IngressEvent) => IngressRequest {
  const base = pathBase(ingressUrl);
  const labelOf = endpointLabelReader(ingressUrl);
  return (event) => {
    const rawPath = decodedPath(event.rawPath);
    const label = labelOf(event.headers['host']);
    const names = label === undefined ? rawPath : `/${label}${rawPath}`;
    const [, endpointId, path = '/'] = /^\/([A-Za-z0-9_-]{1,128})(\/.*)?$/s.exec(names) ?? [];
    const isToWorkflow = label === undefined && rawPath.startsWith('/workflows/');
    const origin = label === undefined ? base : originOf(ingressUrl, label);
    return {
      ...event,
      rawPath,
      isToWorkflow,
      isHealthCheck: label === undefined && isHealthPath(event.requestContext.http.method, rawPath),
      endpoint:
        endpointId === undefined || isToWorkflow
          ? undefined
          : { endpointId, path, address: `${origin}${sentPath(event.rawPath)}` },
    };
  };
}

/**
 * API Gateway passes cookies separately; they are joined to one `cookie` header. Those of the console are left out: a
 * browser sends them to all ports of a host, and a component must not act as the person.
 */
export function headersOf({ headers, cookies = [] }: IngressEvent): Map<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all.set(name.toLowerCase(), value);
  }
  const sent = cookies.filter((cookie) => !isSessionCookie(cookie));
  if (sent.length > 0) all.set('cookie', sent.join('; '));
  return all;
}

/** The body after its `Content-Encoding`, and its parts if it is a form of several. */
export function receivedBody(
  event: IngressEvent,
  headers: ReadonlyMap<string, string>,
): EncodedBody | undefined | Promise<EncodedBody> {
  const body = boundedBody(event);
  if (body === undefined || body.length === 0) return undefined;
  const content = decodedContent(body, headers.get('content-encoding'));
  const isDecoded = content !== body;
  const contentType = headers.get('content-type') ?? '';
  if (!isMultipart(contentType)) return { content, isDecoded };
  return multipartParts(Buffer.from(content), contentType).then((parts) => ({ content, isDecoded, parts }));
}

/** A text body stays a string: as bytes it would be decoded again. */
function boundedBody(event: IngressEvent): Buffer | string | undefined {
  const { body, isBase64Encoded } = event;
  if (body === undefined) {
    if (unreadBytes(event) > LARGEST_HTTP_BODY) throw tooLarge();
    return undefined;
  }
  if (!isBase64Encoded) {
    // A UTF-16 unit has at most 3 bytes in UTF-8, so most bodies need no byte count.
    if (body.length * 3 <= LARGEST_HTTP_BODY || Buffer.byteLength(body) <= LARGEST_HTTP_BODY) return body;
    throw tooLarge();
  }
  const bytes = Buffer.from(body, 'base64');
  if (bytes.length > LARGEST_HTTP_BODY) throw tooLarge();
  return bytes;
}

/**
 * The path of a request, decoded once; an encoded `/` is a separator. Bytes that are not UTF-8, and malformed escapes,
 * stay encoded. API Gateway has decoded a path already, and has cut it at a decoded `?`.
 */
const decodedPath = (rawPath: string): string =>
  rawPath.includes('%')
    ? rawPath.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
        try {
          return decodeURIComponent(escapes);
        } catch {
          return escapes;
        }
      })
    : rawPath;

/**
 * Characters that a path has only in an encoding, and `%` where it begins none.
 * https://url.spec.whatwg.org/#path-percent-encode-set
 */
const ENCODED = /[^\x21-\x7e]|["#<>?^`{}]|%(?![0-9a-f]{2})/giu;

/** A path as nearly all are. */
const PLAIN = /^[\w/.~-]*$/;

/** The path as its sender wrote it; encoded anew if API Gateway has decoded it. */
const sentPath = (rawPath: string): string =>
  // A lone surrogate has no encoding; the copy has U+FFFD in its place.
  PLAIN.test(rawPath) ? rawPath : Buffer.from(rawPath).toString().replaceAll(ENCODED, encodeURIComponent);
