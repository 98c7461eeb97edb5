import { VERSION } from '../../../../shared/domain/version.ts';
import type { HttpResponse } from './http-response.ts';

/** `GET /healthz` is the gateway's own: on AWS, alarms do its work. */
export const isHealthCheck = (method: string | undefined, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && (path === '/healthz' || path === '/healthz/');

export const STARTING = 'The service is starting.';

/** The problem is one sentence; undefined when the service works. */
export function healthResponse(problem: string | undefined): HttpResponse {
  const state = problem === undefined ? { status: 'ok' } : { status: 'unavailable', reason: problem };
  return {
    status: problem === undefined ? 200 : 503,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-store'],
    body: JSON.stringify({ ...state, version: VERSION }),
  };
}
