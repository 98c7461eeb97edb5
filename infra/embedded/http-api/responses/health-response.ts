import { healthResponseOf } from '../../../../shared/domain/service-health.ts';
import type { HttpResponse } from './http-response.ts';

export const STARTING = 'The service is starting.';

/** `GET /healthz` is the gateway's own. The problem is one sentence; undefined when the service works. */
export function healthResponse(problem: string | undefined): HttpResponse {
  const { status, headers, body } = healthResponseOf(problem);
  return { status, headers: Object.entries(headers).flat(), body };
}
