import { API_HEADERS } from '../../../../shared/domain/api-headers.ts';

/** A response to the client. Names and values of headers alternate, as in `writeHead`. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer | string;
}

/** The responses of the gateway itself. */
const own = (status: number, message: string): HttpResponse => ({
  status,
  headers: ['Content-Type', 'application/json'],
  body: `{"message":"${message}"}`,
});
export const notFound = own(404, 'Not Found');
export const tooLarge = own(413, 'Request Entity Too Large');
export const tooMany = own(429, 'Too Many Requests');
export const internalError = own(500, 'Internal Server Error');
/** As a function URL answers for a function that failed. */
export const badGateway: HttpResponse = {
  status: 502,
  headers: ['Content-Type', 'application/json'],
  body: '{"Message":"Internal Server Error"}',
};
export const unavailable = own(503, 'Service Unavailable');

/** The response with the headers of the API, also when the gateway itself made it. */
export function withApiHeaders<R extends Pick<HttpResponse, 'headers'>>(response: R): R {
  const names = new Set(response.headers.filter((_, n) => n % 2 === 0).map((name) => name.toLowerCase()));
  const missing = Object.entries(API_HEADERS).filter(([name]) => !names.has(name));
  return missing.length === 0 ? response : { ...response, headers: [...response.headers, ...missing.flat()] };
}

/** Headers that only the gateway sets. */
const GATEWAYS = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'trailer',
  'te',
  'date',
]);
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const BAD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Reads the response of a function (format 2.0). A response without `statusCode` is a JSON body. A malformed response
 * is a 500, as in API Gateway.
 */
export function responseOf(value: unknown): HttpResponse {
  if (typeof value !== 'object' || value === null || !('statusCode' in value)) return inferred(value);
  const { statusCode, headers, body, isBase64Encoded, cookies } = value as Record<string, unknown>;
  if (typeof statusCode !== 'number' || !Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599)
    return internalError;
  if (body !== undefined && body !== null && typeof body !== 'string') return internalError;
  if (isBase64Encoded !== undefined && typeof isBase64Encoded !== 'boolean') return internalError;
  const flat = flattened(headers, cookies);
  if (!flat) return internalError;
  return {
    status: statusCode,
    headers: flat,
    body: isBase64Encoded === true ? Buffer.from(body ?? '', 'base64') : (body ?? ''),
  };
}

function inferred(value: unknown): HttpResponse {
  const body = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? 'null');
  return { status: 200, headers: ['Content-Type', 'application/json'], body };
}

function flattened(headers: unknown, cookies: unknown): string[] | undefined {
  const flat: string[] = [];
  let hasType = false;
  if (headers !== undefined && headers !== null) {
    if (typeof headers !== 'object') return undefined;
    for (const name in headers) {
      const value: unknown = headers[name as keyof typeof headers];
      if (typeof value !== 'string' || !NAME.test(name) || BAD_VALUE.test(value)) return undefined;
      const lower = name.toLowerCase();
      if (GATEWAYS.has(lower)) continue;
      if (lower === 'content-type') hasType = true;
      flat.push(name, value);
    }
  }
  if (cookies !== undefined && cookies !== null) {
    if (!Array.isArray(cookies)) return undefined;
    for (const cookie of cookies as unknown[]) {
      if (typeof cookie !== 'string' || BAD_VALUE.test(cookie)) return undefined;
      flat.push('Set-Cookie', cookie);
    }
  }
  if (!hasType) flat.push('Content-Type', 'text/plain;charset=UTF-8');
  return flat;
}
