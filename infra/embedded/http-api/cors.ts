import type { HttpResponse } from './responses/http-response.ts';
import type { CorsSpec } from './api-spec.ts';

/**
 * With a CORS configuration the gateway answers preflights itself, adds its headers to the responses for allowed
 * origins, and removes the CORS headers of the function.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export function preflightResponse(cors: CorsSpec, origin: string): HttpResponse {
  const allowed = originHeaders(cors, origin);
  const headers = [...allowed];
  if (allowed.length > 0) {
    if (cors.AllowMethods.length > 0) headers.push('Access-Control-Allow-Methods', cors.AllowMethods.join(','));
    if (cors.AllowHeaders.length > 0) headers.push('Access-Control-Allow-Headers', cors.AllowHeaders.join(','));
    if (cors.MaxAge !== undefined) headers.push('Access-Control-Max-Age', String(cors.MaxAge));
  }
  return { status: 204, headers, body: '' };
}

export function withCors<R extends Pick<HttpResponse, 'headers'>>(
  response: R,
  cors: CorsSpec,
  origin: string | undefined,
): R {
  const headers: string[] = [];
  for (let n = 0; n < response.headers.length; n += 2) {
    const name = response.headers[n] ?? '';
    if (!/^access-control-/i.test(name)) headers.push(name, response.headers[n + 1] ?? '');
  }
  const allowed = origin === undefined ? [] : originHeaders(cors, origin);
  headers.push(...allowed);
  if (allowed.length > 0 && cors.ExposeHeaders.length > 0) {
    headers.push('Access-Control-Expose-Headers', cors.ExposeHeaders.join(','));
  }
  return { ...response, headers };
}

function originHeaders({ AllowOrigins }: CorsSpec, origin: string): string[] {
  if (AllowOrigins.includes('*')) return ['Access-Control-Allow-Origin', '*'];
  const fits = AllowOrigins.some(
    (allowed) => allowed === origin || (allowed.endsWith('://*') && origin.startsWith(allowed.slice(0, -1))),
  );
  return fits ? ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin'] : [];
}
