import type { SynchronousResponse } from '../../service/runs/synchronous-run.ts';
import type { IngressEvent } from './ingress-request.ts';

/**
 * Headers of every response of ours: pages of any origin send events by `fetch`. A component makes its own responses,
 * and their headers.
 */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after',
} as const;

/** Seconds, the most that Chromium keeps. */
const MAX_AGE = '7200';
const LONGEST_LIST = 1_024;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * The response to a preflight. It allows the request that follows, whose own response names its errors. Undefined for
 * every other request, an `OPTIONS` without `Access-Control-Request-Method` included.
 */
export function preflightResponse({
  headers,
  requestContext: { http },
}: IngressEvent): SynchronousResponse | undefined {
  const method = headers['access-control-request-method'];
  if (http.method !== 'OPTIONS' || method === undefined) return undefined;
  const names = headers['access-control-request-headers'] ?? '';
  return {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      'access-control-max-age': MAX_AGE,
      ...(isTokens(method) ? { 'access-control-allow-methods': method } : {}),
      ...(isTokens(names) ? { 'access-control-allow-headers': names } : {}),
    },
    body: '',
    base64: false,
  };
}

const isTokens = (list: string): boolean =>
  list.length <= LONGEST_LIST && list.split(',').every((token) => TOKEN.test(token.trim()));
