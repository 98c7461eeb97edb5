import { API_HEADERS } from '../../../../shared/domain/api-headers.ts';
import type { ServiceError } from '../../../../shared/domain/errors.ts';
import type { HttpResponse } from './http-response.ts';

/** An error that the gateway finds before a function gets the request, in the form of the API's errors. */
export interface Refusal extends Pick<ServiceError, 'code' | 'message'>, Partial<Pick<ServiceError, 'details'>> {
  readonly status: number;
  /** Seconds after which the client may try again. */
  readonly retryAfter?: number;
}

export function refusalResponse({ status, code, message, details, retryAfter }: Refusal, id: string): HttpResponse {
  return {
    status,
    headers: [
      ...['Content-Type', 'application/json'],
      ...Object.entries(API_HEADERS).flat(),
      ...['X-Request-Id', id],
      ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
    ],
    body: JSON.stringify({ error: message, code, details, request_id: id }),
  };
}

/** The disk has no room for new data. */
export const noRoom: Refusal = {
  status: 503,
  code: 'unavailable',
  message: 'The disk of the service is full, so it takes nothing new. Nothing was stored; try again later.',
  retryAfter: 30,
};

/** Unfinished bodies of all connections take all the memory that is meant for them, and this client has most of it. */
export const tooManyBodies: Refusal = {
  status: 503,
  code: 'unavailable',
  message:
    'The service has no room for further unfinished bodies, and your address sends most of them. Nothing was stored; send fewer at once, and try again.',
  retryAfter: 1,
};

export const bodyTooSlow: Refusal = {
  status: 408,
  code: 'request_timeout',
  message: 'The body did not arrive within 30 s of its headers. Nothing was stored; send it again.',
};

export const badHost: Refusal = {
  status: 400,
  code: 'malformed_request',
  message: 'The request must have exactly one Host header.',
};

export const badTransferEncoding: Refusal = {
  status: 501,
  code: 'not_implemented',
  message: 'Transfer-Encoding may only be "chunked"; compress a body with Content-Encoding, or send it as it is.',
};

const malformed: Refusal = {
  status: 400,
  code: 'malformed_request',
  message:
    'The request is not valid HTTP/1.1. Percent-encode every character of the address that is not ASCII, send one Content-Length or none, and end header lines with CRLF.',
};

export const headTooLarge: Refusal = {
  status: 431,
  code: 'headers_too_large',
  message:
    'The request line and the values of the headers must not exceed 10,240 bytes, nor headers or trailers with their names 16 KB.',
};

/** By error code of Node's parser. */
const BY_PARSER_CODE: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_URL: {
    ...malformed,
    message:
      'The address of the request has characters that a URL must not have: percent-encode each of them, for example ä as %C3%A4 and a space as %20.',
  },
  HPE_HEADER_OVERFLOW: headTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'too_large',
    message: 'The extensions of a chunk must not exceed 16 KB.',
  },
  HPE_INVALID_TRANSFER_ENCODING: badTransferEncoding,
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    message: 'The headers of the request did not arrive within 20 s. Send it again.',
  },
};

/** The refusal of bytes that Node's parser does not take. */
export const parserRefusal = (code = ''): Refusal => BY_PARSER_CODE[code] ?? malformed;
