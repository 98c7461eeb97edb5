import { type ErrorKind, ServiceError } from '../domain/errors.ts';
import { toJson } from '../domain/json-text.ts';
import type { ApiResult } from './exchange.ts';

const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  failed: 500,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

/** The error to answer with. Errors other than {@link ServiceError} become `internal`, without details of the cause. */
export function problemOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError(
    'failed',
    'internal',
    'A defect of the service ended this request; report its request_id to the operator.',
    { cause: error },
  );
}

const statusOf = ({ kind, code }: ServiceError): number => (code === 'no_response' ? 504 : STATUS[kind]);

/** The error response: `{error, code, details?, request_id}`. */
export function problemAnswer(problem: ServiceError, requestId: string): ApiResult {
  const { message, code, details, retryAfterSeconds, allow, kind } = problem;
  return {
    statusCode: statusOf(problem),
    headers: {
      'content-type': 'application/json',
      'x-request-id': requestId,
      ...(kind === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(allow === undefined ? {} : { allow: allow.join(', ') }),
    },
    body: toJson({ error: message, code, details, request_id: requestId }),
  };
}
